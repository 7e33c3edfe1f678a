/** Benchmarks; nothing depends on them. JMH itself runs them from the class path. */
module io.skerry.benchmarks {
  requires io.skerry;
  requires jmh.core;
}
