package io.skerry.peers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The options of {@code ./skerry bench iod}.
 *
 * @param frames the number of frames of the detector job
 * @param framesPerFlush the number of frames between two flushes
 * @param pairs the number of pairs in the map
 * @param pairsPerFlush the number of pairs between two flushes
 * @param valueBytes the size of a value of the map in bytes, a multiple of 8
 * @param tiles the number of tiles of 4 MiB
 * @param tilesPerFlush the number of tiles between two flushes
 * @param runs the number of counted runs
 * @param warmUps the number of uncounted runs before the counted runs
 * @param folder the folder for the files
 * @param at a location next to which additional containers are created; empty for none
 * @param output the format of the results
 * @param only a pattern that must occur in the names of the tasks to run
 */
record IodOptions(
    int frames,
    int framesPerFlush,
    int pairs,
    int pairsPerFlush,
    int valueBytes,
    int tiles,
    int tilesPerFlush,
    int runs,
    int warmUps,
    Path folder,
    Optional<String> at,
    Options.Output output,
    Pattern only) {
  static final String USAGE =
      """
      ./skerry bench iod [--frames 128] [--frames-per-flush 8] [--pairs 1000000]
                         [--pairs-per-flush 10000] [--value-bytes 64] [--tiles 120]
                         [--tiles-per-flush 40] [--runs 5] [--warm-ups 2] [--dir FOLDER]
                         [--at iod+rados://POOL/NAME] [--json] [--only PATTERN]
      """;

  static IodOptions parse(String[] args) {
    int frames = 128;
    int framesPerFlush = 8;
    int pairs = 1_000_000;
    int pairsPerFlush = 10_000;
    int valueBytes = 64;
    // The number is not a multiple of 16, because closing a database waits for the tiles in its
    // last full 64 MiB buffer.
    int tiles = 120;
    int tilesPerFlush = 40;
    int runs = 5;
    int warmUps = 2;
    Path folder = Path.of(System.getProperty("java.io.tmpdir"), "skerry-bench-iod");
    Optional<String> at = Optional.empty();
    Options.Output output = Options.Output.TABLE;
    Pattern only = Pattern.compile("");
    Iterator<String> rest = List.of(args).iterator();
    while (rest.hasNext()) {
      String name = rest.next();
      switch (name) {
        case "--json" -> output = Options.Output.JSON;
        case "--frames" -> frames = Options.number(name, rest);
        case "--frames-per-flush" -> framesPerFlush = Options.number(name, rest);
        case "--pairs" -> pairs = Options.number(name, rest);
        case "--pairs-per-flush" -> pairsPerFlush = Options.number(name, rest);
        case "--value-bytes" -> valueBytes = Options.number(name, rest);
        case "--tiles" -> tiles = Options.number(name, rest);
        case "--tiles-per-flush" -> tilesPerFlush = Options.number(name, rest);
        case "--runs" -> runs = Options.number(name, rest);
        case "--warm-ups" -> warmUps = Options.number(name, rest);
        case "--dir" -> folder = Path.of(Options.value(name, rest));
        case "--at" -> at = Optional.of(Options.value(name, rest));
        case "--only" -> only = Pattern.compile(Options.value(name, rest));
        default -> throw new IllegalArgumentException("unknown option: " + name);
      }
    }
    if (valueBytes % Long.BYTES != 0) {
      throw new IllegalArgumentException("not a multiple of 8: --value-bytes=" + valueBytes);
    }
    return new IodOptions(
        frames,
        framesPerFlush,
        pairs,
        pairsPerFlush,
        valueBytes,
        tiles,
        tilesPerFlush,
        runs,
        warmUps,
        folder,
        at,
        output,
        only);
  }

  /**
   * Returns the container locations that a task compares: one in the folder and, if {@link #at} is
   * present, one next to that location.
   */
  List<StoreLocation> containers(String task) {
    List<StoreLocation> found = new ArrayList<>();
    found.add(new StoreLocation("iod", "iod:" + folder.resolve(task + "-iod")));
    at.ifPresent(url -> found.add(new StoreLocation(withoutOptions(url), named(url, task))));
    return found;
  }

  private static String withoutOptions(String url) {
    int options = url.indexOf('?');
    return options < 0 ? url : url.substring(0, options);
  }

  private static String named(String url, String task) {
    String name = withoutOptions(url);
    return name + "-" + task + url.substring(name.length());
  }

  /** Returns the location of an HDF5 file. */
  StoreLocation file(String task) {
    return new StoreLocation("hdf5", folder.resolve(task + ".h5").toString());
  }

  boolean json() {
    return output == Options.Output.JSON;
  }
}
