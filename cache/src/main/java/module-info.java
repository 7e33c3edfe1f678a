/** The chunk cache that all datasets of one open file share. */
// Modules named in qualified exports are compiled later, so the compiler warns about them.
@SuppressWarnings("module")
module io.skerry.cache {
  requires transitive io.skerry.chunk;
  requires jdk.jfr;

  exports io.skerry.cache;
  exports io.skerry.cache.api to
      io.skerry.benchmarks,
      io.skerry.collective,
      io.skerry.integration,
      io.skerry.iod;
  exports io.skerry.cache.core to
      io.skerry.benchmarks,
      io.skerry.collective;
  exports io.skerry.cache.policy to
      io.skerry.benchmarks;
  exports io.skerry.cache.request to
      io.skerry.collective;
  exports io.skerry.cache.scheduling to
      io.skerry.collective;
  exports io.skerry.cache.table to
      io.skerry.benchmarks,
      io.skerry.collective;
}
