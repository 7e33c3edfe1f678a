/**
 * Collective I/O: reads, writes and flushes of one HDF5 file that all ranks of a communicator have
 * open.
 */
// Modules named in qualified exports are compiled later, so the compiler warns about them.
@SuppressWarnings("module")
module io.skerry.collective {
  requires transitive io.skerry.cache;
  requires transitive io.skerry.format;
  requires transitive io.skerry.mpi;

  exports io.skerry.parallel;
  exports io.skerry.recovery;
  exports io.skerry.collective to
      io.skerry,
      io.skerry.integration;
  exports io.skerry.collective.alloc to
      io.skerry.integration;
  exports io.skerry.collective.dataset to
      io.skerry,
      io.skerry.integration;
  exports io.skerry.collective.heap to
      io.skerry;
  exports io.skerry.collective.live to
      io.skerry;
  exports io.skerry.collective.multifile to
      io.skerry,
      io.skerry.integration,
      io.skerry.jobs;
  exports io.skerry.collective.owner to
      io.skerry.integration;
  exports io.skerry.collective.plan to
      io.skerry,
      io.skerry.integration;
  exports io.skerry.collective.share to
      io.skerry,
      io.skerry.integration;
  exports io.skerry.collective.source to
      io.skerry;
  exports io.skerry.collective.step to
      io.skerry,
      io.skerry.integration,
      io.skerry.iod,
      io.skerry.jobs;
  exports io.skerry.collective.trust to
      io.skerry,
      io.skerry.jobs;
  exports io.skerry.collective.wire to
      io.skerry.integration,
      io.skerry.iod;
}
