/** The shared chunk cache of one open file. */
module io.skerry.cache {
  requires transitive io.skerry.chunk;
  requires jdk.jfr;

  exports io.skerry.cache;
  exports io.skerry.cache.policy;
}
