/** The {@code skerry} command. */
// The compiler does not find the module to which a package is exported, because that module is
// built after this one.
@SuppressWarnings("module")
module io.skerry.jobs {
  requires io.skerry;
  requires arpack.combined.all;
  requires dev.ludovic.netlib.blas;
  requires dev.ludovic.netlib.lapack;
  requires info.picocli;
  requires java.desktop;
  requires java.logging;
  requires jdk.unsupported;
  requires me.tongfei.progressbar;
  requires xchart;

  exports io.skerry.jobs to
      io.skerry.integration;
  exports io.skerry.jobs.run to
      io.skerry.integration;

  opens io.skerry.jobs to
      info.picocli;
  opens io.skerry.jobs.command to
      info.picocli;
}
