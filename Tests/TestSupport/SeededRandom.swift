// Every user of TestSupport has the generator; a benchmark imports it alone.
@_exported public import SeededRandom
