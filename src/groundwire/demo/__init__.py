"""A small, honest RAG application over text that is on this machine anyway, and the loop around it.

In: the descriptions of the Python packages installed here. Out: answers under ``@instrument``, their
traces, grades and audit log. :func:`answer` is importable as a target (``groundwire.demo:answer``).
Deliberately knows no model and no network.
"""

from groundwire.demo.app import answer, search

__all__ = ["answer", "search"]
