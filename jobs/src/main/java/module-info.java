/** The skerry command. */
module io.skerry.jobs {
  requires io.skerry;
  requires info.picocli;
  requires java.desktop;
  requires me.tongfei.progressbar;

  opens io.skerry.jobs to
      info.picocli;
}
