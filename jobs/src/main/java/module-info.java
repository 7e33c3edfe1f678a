/** The skerry command. */
module io.skerry.jobs {
  requires io.skerry;
}
