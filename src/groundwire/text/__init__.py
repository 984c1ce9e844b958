"""The pure text core: what a careful reader does with two texts, without knowing what a grade is.

In: plain strings. Out: values whose offsets are code points of the string that was given (start inclusive,
end exclusive). Unicode is folded, never the caller's text; every match can be shown in the raw text.

Deliberately not known here: records, contexts with ids, outcomes, thresholds of any task, files, clocks.
Stdlib, msgspec, rapidfuzz and snowballstemmer (which is PyStemmer, in C, where that is installed) only.
"""
