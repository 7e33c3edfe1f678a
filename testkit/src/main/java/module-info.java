/** Conformance suites, fault injection and oracles. */
module io.skerry.testkit {
  requires transitive io.skerry;
  requires io.skerry.jobs;
  // Only tests, which are compiled into this module, ask the JVM what it uses.
  requires static java.management;

  exports io.skerry.testkit.chunk;
  exports io.skerry.testkit.connector;
  exports io.skerry.testkit.crowd;
  exports io.skerry.testkit.dataset;
  exports io.skerry.testkit.fault;
  exports io.skerry.testkit.fuzz;
  exports io.skerry.testkit.matrix;
  exports io.skerry.testkit.misuse;
  exports io.skerry.testkit.mpi;
  exports io.skerry.testkit.oracle;
  exports io.skerry.testkit.process;
  exports io.skerry.testkit.scale;
  exports io.skerry.testkit.trial;
  exports io.skerry.testkit.written;
}
