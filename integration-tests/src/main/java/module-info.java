/** Test material of Skerry's own suite: random programs, matrices, interoperability, fuzzing. */
// The module that a package is exported to is built later.
@SuppressWarnings("module")
module io.skerry.integration {
  requires transitive io.skerry.testkit;
  // Only tests, which are compiled into this module, run the command and ask the JVM what it uses.
  requires io.skerry.jobs;
  requires static java.management;

  exports io.skerry.integration.scale to
      io.skerry.benchmarks;
}
