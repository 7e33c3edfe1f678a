/** The API layer: files, groups, datasets and attributes. */
// The modules to which some packages are exported are built after this one.
@SuppressWarnings("module")
module io.skerry {
  requires transitive io.skerry.collective;

  exports io.skerry;
  exports io.skerry.spi;
  exports io.skerry.value;
  exports io.skerry.internal.file to
      io.skerry.integration,
      io.skerry.testkit;
  exports io.skerry.internal.log to
      io.skerry.integration,
      io.skerry.testkit;
  exports io.skerry.internal.value to
      io.skerry.integration,
      io.skerry.iod,
      io.skerry.jobs;

  uses io.skerry.FileProvider;
  uses io.skerry.spi.Connector.Provider;

  provides io.skerry.FileProvider with
      io.skerry.internal.NativeFiles;
}
