/** Message passing for Skerry: communicators, collective files and their back ends. */
module io.skerry.mpi {
  exports io.skerry.mpi;
}
