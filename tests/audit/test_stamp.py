"""RFC 3161 timestamps, against a timestamp authority made with openssl on this machine."""

import http.server
import shutil
import subprocess
import threading

import pytest

from audit.samples import answer, write_log
from groundwire.audit import AuditLog
from groundwire.errors import AuditError, ConfigError, MissingExtraError

CONFIG = """
[req]
distinguished_name = name
x509_extensions = tsa
prompt = no
[name]
CN = test authority
[tsa]
extendedKeyUsage = critical, timeStamping
[authority]
default_tsa = settings
[settings]
serial = {folder}/serial
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256, sha384, sha512
"""


REPLY = "ts -reply -config config -section settings -queryfile query -inkey key -signer cert -out reply"


def openssl(folder, *arguments):
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def authority(tmp_path):
    """The address of an authority that answers as openssl does, and its folder."""
    pytest.importorskip("rfc3161_client", reason="pip install 'groundwire[timestamp]'")
    if shutil.which("openssl") is None:
        pytest.skip("no openssl here")
    folder = tmp_path / "authority"
    folder.mkdir()
    (folder / "config").write_text(CONFIG.format(folder=folder))
    (folder / "serial").write_text("01")
    openssl(folder, *"req -x509 -newkey rsa:2048 -nodes -keyout key -out cert -config config".split())

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            (folder / "query").write_bytes(self.rfile.read(int(self.headers["Content-Length"])))
            openssl(folder, *REPLY.split())
            self.send_response(200)
            self.end_headers()
            self.wfile.write((folder / "reply").read_bytes())

        def log_message(self, *args):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/", folder
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_checkpoint_is_stamped(authority, tmp_path):
    """The token covers the bytes of the file `checkpoint`, and lies beside the folder, not in it."""
    from groundwire.audit.stamp import stamp

    url, folder = authority
    write_log(tmp_path / "log", [answer()])
    token = stamp(AuditLog.open(tmp_path / "log"), url)
    assert token == tmp_path / "log.checkpoint-3.tsr"
    checkpoint = str(tmp_path / "log" / "checkpoint")
    openssl(folder, "ts", "-verify", "-in", str(token), "-data", checkpoint, "-CAfile", "cert")
    assert AuditLog.open(tmp_path / "log").verify().totals == {}


def test_an_authority_that_does_not_answer_is_said(tmp_path):
    """No traceback of a library: who, and what to do."""
    pytest.importorskip("rfc3161_client", reason="pip install 'groundwire[timestamp]'")
    from groundwire.audit.stamp import stamp

    write_log(tmp_path / "log", [answer()])
    with pytest.raises(AuditError, match="does not answer"):
        stamp(AuditLog.open(tmp_path / "log"), "http://127.0.0.1:9/")
    with pytest.raises(ConfigError, match="no address"):
        stamp(AuditLog.open(tmp_path / "log"), "file:///etc/passwd")


def test_without_the_extra_the_pip_line_is_printed(tmp_path, monkeypatch):
    """The extra is named with the line that installs it."""
    import sys

    from groundwire.audit.stamp import stamp

    monkeypatch.setitem(sys.modules, "rfc3161_client", None)
    write_log(tmp_path / "log", [answer()])
    with pytest.raises(MissingExtraError, match=r"groundwire\[timestamp\]"):
        stamp(AuditLog.open(tmp_path / "log"), "http://127.0.0.1:9/")
