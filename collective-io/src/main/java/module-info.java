/** The collective write, flush and read. */
module io.skerry.collective {
  requires transitive io.skerry.cache;
  requires transitive io.skerry.format;
  requires transitive io.skerry.mpi;

  exports io.skerry.collective;
  exports io.skerry.collective.plan;
}
