"""``python -m groundwire``: the same as the ``groundwire`` command."""

from groundwire.cli import main

main()
