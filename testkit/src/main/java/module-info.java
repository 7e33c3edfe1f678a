/** Conformance suites, fault injection and oracles. */
module io.skerry.testkit {
  requires transitive io.skerry;
  requires transitive io.skerry.mpi;

  exports io.skerry.testkit.mpi;
}
