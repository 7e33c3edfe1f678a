/** The bytes of an HDF5 file outside its chunks. */
module io.skerry.format {
  requires transitive io.skerry.chunk;
}
