"""The command line: a thin wrapper over the library, one file a command.

In: arguments. Out: results on stdout, talk on stderr, an exit code. This package alone prints and exits;
it does nothing that the library can't. Exit codes: 0 done, whatever was found; 1 a verdict that was asked
for is negative; 2 usage, unreadable input, bad configuration; 3 not enough to say.
"""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the ``groundwire`` command; never lets a traceback of an expected error through."""
    try:
        import click  # noqa: F401 - only whether it is there
    except ImportError:
        from groundwire.errors import MissingExtraError

        print(f"error: {MissingExtraError.of('score', module='click')}", file=sys.stderr)
        raise SystemExit(2) from None
    from groundwire.cli.frame import run

    raise SystemExit(run(sys.argv[1:]))
