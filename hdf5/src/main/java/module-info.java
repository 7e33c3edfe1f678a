/** The roof: files, groups, datasets and attributes. */
module io.skerry {
  requires transitive io.skerry.collective;

  exports io.skerry;
  exports io.skerry.connector;
  exports io.skerry.connector.log;
  exports io.skerry.value;

  uses io.skerry.FileProvider;

  provides io.skerry.FileProvider with
      io.skerry.NativeFiles;
}
