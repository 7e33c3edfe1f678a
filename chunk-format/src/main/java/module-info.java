/** Operations on one chunk at a time: selections, datatypes, filters and chunk formats. */
// Modules named in qualified exports are compiled later, so the compiler warns about them.
@SuppressWarnings("module")
module io.skerry.chunk {
  requires aircompressor.v3;
  requires org.apache.commons.compress;

  exports io.skerry.chunk;
  exports io.skerry.datatype;
  exports io.skerry.exception;
  exports io.skerry.filter;
  exports io.skerry.filter.pipeline;
  exports io.skerry.selection;
  exports io.skerry.chunk.bytes to
      io.skerry,
      io.skerry.cache,
      io.skerry.collective,
      io.skerry.format,
      io.skerry.integration,
      io.skerry.iod,
      io.skerry.jobs,
      io.skerry.testkit;
  exports io.skerry.chunk.content to
      io.skerry,
      io.skerry.collective,
      io.skerry.iod,
      io.skerry.testkit;
  exports io.skerry.chunk.dataspace to
      io.skerry,
      io.skerry.benchmarks,
      io.skerry.cache,
      io.skerry.collective,
      io.skerry.integration,
      io.skerry.iod,
      io.skerry.testkit;
  exports io.skerry.chunk.dataspace.encoding to
      io.skerry,
      io.skerry.format,
      io.skerry.iod;
  exports io.skerry.chunk.dataspace.grid to
      io.skerry,
      io.skerry.benchmarks,
      io.skerry.cache,
      io.skerry.collective,
      io.skerry.format,
      io.skerry.integration,
      io.skerry.iod,
      io.skerry.jobs,
      io.skerry.testkit;
  exports io.skerry.chunk.datatype to
      io.skerry,
      io.skerry.format,
      io.skerry.integration,
      io.skerry.iod;
  exports io.skerry.chunk.datatype.conversion to
      io.skerry,
      io.skerry.benchmarks,
      io.skerry.collective,
      io.skerry.iod,
      io.skerry.jobs;
  exports io.skerry.chunk.text to
      io.skerry,
      io.skerry.collective,
      io.skerry.iod,
      io.skerry.jobs;
  exports io.skerry.chunk.format to
      io.skerry,
      io.skerry.benchmarks,
      io.skerry.cache,
      io.skerry.collective,
      io.skerry.integration,
      io.skerry.iod,
      io.skerry.testkit;

  uses io.skerry.filter.Filter;
}
