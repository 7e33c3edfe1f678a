/** The bytes of an HDF5 file outside its chunks. */
module io.skerry.format {
  requires transitive io.skerry.chunk;

  exports io.skerry.format.alloc;
  exports io.skerry.format.dense;
  exports io.skerry.format.heap;
  exports io.skerry.format.file;
  exports io.skerry.format.index;
  exports io.skerry.format.link;
  exports io.skerry.format.object;
  exports io.skerry.format.tree;
  exports io.skerry.format.vds;
  exports io.skerry.format.shared;
  exports io.skerry.format;
}
