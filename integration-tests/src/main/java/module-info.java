/** Test support for Skerry's own suite: random programs, matrices, interoperability, fuzzing. */
// The compiler cannot find the module to which a package is exported, because that module is built
// after this one.
@SuppressWarnings("module")
module io.skerry.integration {
  requires transitive io.skerry.testkit;
  requires io.skerry.iod;
  // Only tests, which are compiled into this module, run the command and query the JVM for its
  // resource usage.
  requires io.skerry.jobs;
  requires static java.management;

  exports io.skerry.integration.scale to
      io.skerry.benchmarks;
}
