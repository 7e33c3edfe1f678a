/**
 * The HDF5 file format except for the content of chunks: decodes and encodes metadata, and
 * allocates file space. Does not use MPI.
 */
// Modules named in qualified exports are compiled later, so the compiler would warn about them.
@SuppressWarnings("module")
module io.skerry.format {
  requires transitive io.skerry.chunk;

  exports io.skerry.format;
  exports io.skerry.format.alloc to
      io.skerry,
      io.skerry.collective,
      io.skerry.integration;
  exports io.skerry.format.block to
      io.skerry,
      io.skerry.collective,
      io.skerry.integration,
      io.skerry.iod,
      io.skerry.jobs;
  exports io.skerry.format.btree to
      io.skerry;
  exports io.skerry.format.dense to
      io.skerry;
  exports io.skerry.format.file to
      io.skerry,
      io.skerry.collective,
      io.skerry.integration;
  exports io.skerry.format.header to
      io.skerry,
      io.skerry.integration;
  exports io.skerry.format.heap to
      io.skerry,
      io.skerry.collective,
      io.skerry.integration,
      io.skerry.iod,
      io.skerry.jobs;
  exports io.skerry.format.index to
      io.skerry,
      io.skerry.collective,
      io.skerry.integration;
  exports io.skerry.format.index.api to
      io.skerry,
      io.skerry.collective,
      io.skerry.integration;
  exports io.skerry.format.journal to
      io.skerry.collective,
      io.skerry.jobs;
  exports io.skerry.format.layout to
      io.skerry,
      io.skerry.collective,
      io.skerry.integration;
  exports io.skerry.format.live to
      io.skerry.collective;
  exports io.skerry.format.message to
      io.skerry;
  exports io.skerry.format.message.dataset to
      io.skerry,
      io.skerry.integration;
  exports io.skerry.format.message.group to
      io.skerry,
      io.skerry.integration;
  exports io.skerry.format.shared to
      io.skerry;
  exports io.skerry.format.superblock to
      io.skerry,
      io.skerry.collective,
      io.skerry.integration,
      io.skerry.jobs;
  exports io.skerry.format.symboltable to
      io.skerry;
  exports io.skerry.format.vds to
      io.skerry,
      io.skerry.integration;
}
