/** Benchmarks; only the peers module uses them. JMH itself runs them from the class path. */
module io.skerry.benchmarks {
  requires com.github.benmanes.caffeine;
  requires io.skerry;
  requires io.skerry.integration;
  requires io.skerry.cache;
  requires jmh.core;
}
