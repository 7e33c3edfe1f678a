/** Conformance suites, fault injection and oracles. */
module io.skerry.testkit {
  requires transitive io.skerry;

  exports io.skerry.testkit.chunk;
  exports io.skerry.testkit.connector;
  exports io.skerry.testkit.fault;
  exports io.skerry.testkit.launch;
  exports io.skerry.testkit.mpi;
  exports io.skerry.testkit.oracle;
  exports io.skerry.testkit.ranked;
}
