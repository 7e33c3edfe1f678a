/** The skerry command. */
module io.skerry.jobs {
  requires transitive io.skerry;
  requires info.picocli;
  requires java.desktop;
  requires me.tongfei.progressbar;

  exports io.skerry.jobs;

  opens io.skerry.jobs to
      info.picocli;
}
