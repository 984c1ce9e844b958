"""The patterns of production.yaml alone, by RE2, on JSON text as it stands on spans."""

import json
import re

import re2
import yaml
from hypothesis import given, strategies as st

from collector.running import CONFIGS

PROCESSORS = yaml.safe_load((CONFIGS / "production.yaml").read_text())["processors"]
PATTERNS = [re2.compile(pattern) for pattern in PROCESSORS["redaction"]["blocked_values"]]
MASK = "ab12" * 16


def arguments(processor: str) -> tuple[str, str]:
    """The pattern and the replacement of a processor's statement on the attributes of spans."""
    statements = PROCESSORS[processor]["trace_statements"][0]["statements"]
    [statement] = [one for one in statements if one.startswith("replace_all_patterns(span.")]
    _, pattern, replacement = (json.loads(text) for text in re.findall(r'"(?:[^"\\]|\\.)*"', statement))
    return pattern, replacement.replace("$${1}", r"\1")


MARKING, UNMARKING = arguments("transform/before_redaction"), arguments("transform/after_redaction")

SECRETS = (
    "sk-proj-abcdefghij0123456789ABCD",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "AKIAIOSFODNN7EXAMPLE",
    "AIzaSyA0123456789abcdefghijklmnopqrstuv",
    "xoxb-123456789012-abcdefghijkl",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl",
    "Bearer abcdefgh12345678ijkl",
    "password=hunter2hunter2",
    "ada.lovelace@example.org",
    "4111 1111 1111 1111",
    "4111-1111-1111-1111",
    "3782 822463 10005",
    "card 4111111111111111",
    "GB82 WEST 1234 5698 7654 32",
    "DE89370400440532013000",
    "078-05-1120",
    "+44 20 7946 0958",
    "+1 (415) 555-0132",
)
HARMLESS = (
    "In 1998 the plant made 4111 tonnes, 12,345.67 in all; see pages 4-17.",
    "The risk-adjusted-return-on-capital-employed was 17 %.",
    "Token limits of 128000 apply. The secret is patience. Password rules: at least 12 characters.",
    "2026-11-30T18:26:33.123456789Z",
    "0b5d1c9e8f7a4d3c2b1a0f9e8d7c6b5a",
    "https://docs.example.org/a/b?page=2&version=1.2.3",
    "f(x) = 0.5123456789012345 and 1.2e+10",
    "Form AB12 of 1998-12-31, part 123-45-67890, ISO 9001, RFC 9562, GDP US$ 27,720,709,000,000.",
    "Call extension 4117. Release 3.141.5926.5358979 is out.",
)
AROUND = ("", *' \n\t\\"/’é(\b\u2028', "\\n", ": ", ".\n\n", "\\\\", "\r\n")
PIECES = st.sampled_from((*SECRETS, *HARMLESS, *AROUND, "1", "@example.org", "+"))


def masked(text: str) -> str:
    text = re2.sub(*MARKING, text)
    for pattern in PATTERNS:
        text = pattern.sub(MASK, text)
    return re2.sub(*UNMARKING, text)


@given(st.lists(PIECES, max_size=12), st.booleans())
def test_masking_never_breaks_the_json_around_it(pieces: list[str], is_ascii: bool) -> None:
    """Whatever stands beside a secret, escaped or not, the documents stay readable JSON."""
    documents = [{"id": "".join(pieces), "content": "".join(reversed(pieces)), "score": 0.4111111111111111}]
    read = json.loads(masked(json.dumps(documents, ensure_ascii=is_ascii)))
    assert read[0]["score"] == 0.4111111111111111


@given(st.sampled_from(SECRETS), st.sampled_from(AROUND[1:]), st.sampled_from(AROUND[1:]), st.booleans())
def test_a_secret_is_masked_whatever_stands_around_it(
    secret: str, before: str, after: str, is_ascii: bool
) -> None:
    """A secret after a line break (in JSON a backslash and the letter n) is found as after a space."""
    text = json.dumps({"content": f"See{before}{secret}{after}end"}, ensure_ascii=is_ascii)
    assert secret.rpartition(" ")[2].rpartition("=")[2] not in masked(text)


def test_ordinary_text_is_left_alone() -> None:
    """Dates, numbers, scores, ids, addresses of pages and words about secrets are no secrets."""
    assert [text for text in HARMLESS if masked(text) != text] == []


def test_numbers_of_documents_are_left_alone() -> None:
    """A retrieval score or an integer id of sixteen digits is a JSON number, and stays one."""
    text = json.dumps([{"id": 4111111111111111, "score": 0.5123456789012345, "rank": 4111111111111111.5}])
    assert masked(text) == text
