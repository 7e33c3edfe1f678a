/** The skerry command. */
module io.skerry.jobs {
  requires transitive io.skerry;
  requires arpack.combined.all;
  requires dev.ludovic.netlib.blas;
  requires dev.ludovic.netlib.lapack;
  requires info.picocli;
  requires java.desktop;
  requires java.logging;
  requires jdk.unsupported;
  requires me.tongfei.progressbar;
  requires xchart;

  exports io.skerry.jobs;

  opens io.skerry.jobs to
      info.picocli;
}
