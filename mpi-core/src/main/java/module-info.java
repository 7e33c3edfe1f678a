/** Message passing for Skerry: communicators, collective files and their back ends. */
// The modules in qualified exports are compiled later, which javac would warn about.
@SuppressWarnings("module")
module io.skerry.mpi {
  exports io.skerry.mpi;
  exports io.skerry.mpi.file;
  exports io.skerry.mpi.internal.concurrent to
      io.skerry.collective,
      io.skerry.iod,
      io.skerry.iod.rados,
      io.skerry.jobs;
  exports io.skerry.mpi.internal.file to
      io.skerry.collective;
  exports io.skerry.mpi.internal.launch to
      io.skerry.integration,
      io.skerry.jobs,
      io.skerry.testkit;

  uses io.skerry.mpi.MpiProvider;

  provides io.skerry.mpi.MpiProvider with
      io.skerry.mpi.internal.backend.BackEnds;
}
