/** The skerry command. */
module io.skerry.jobs {
  requires io.skerry;
  requires info.picocli;
  requires java.desktop;

  opens io.skerry.jobs to
      info.picocli;
}
