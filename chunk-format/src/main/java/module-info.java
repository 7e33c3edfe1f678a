/** One chunk at a time: selections, datatypes, filters and the chunk format layer. */
module io.skerry.chunk {
  requires aircompressor.v3;
  requires org.apache.commons.compress;

  exports io.skerry.chunk;
  exports io.skerry.chunk.bytes;
  exports io.skerry.chunk.filter;
  exports io.skerry.chunk.space;
  exports io.skerry.chunk.type;

  uses io.skerry.chunk.filter.Filter;
}
