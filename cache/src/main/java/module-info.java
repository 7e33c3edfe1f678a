/** The shared chunk cache of one open file. */
module io.skerry.cache {
  requires transitive io.skerry.chunk;

  exports io.skerry.cache;
  exports io.skerry.cache.policy;
}
