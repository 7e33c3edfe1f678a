/** The collective write, flush and read. */
// The module that some packages are open to is built later.
@SuppressWarnings("module")
module io.skerry.collective {
  requires transitive io.skerry.cache;
  requires transitive io.skerry.format;
  requires transitive io.skerry.mpi;

  exports io.skerry.collective;
  exports io.skerry.collective.plan;
  exports io.skerry.collective.alloc to
      io.skerry.testkit;
  exports io.skerry.collective.owner to
      io.skerry.testkit;
}
