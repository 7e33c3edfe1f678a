/** Benchmarks; nothing depends on them. */
module io.skerry.benchmarks {
  requires io.skerry;
}
