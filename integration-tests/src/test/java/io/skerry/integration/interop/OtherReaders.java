package io.skerry.integration.interop;

import io.skerry.integration.random.FileForm;
import io.skerry.testkit.oracle.Oracle;
import io.skerry.testkit.oracle.ProcessResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs other programs that read and change files. Most of them process a batch of files at once.
 */
final class OtherReaders {
  private static final Pattern REFUSED = Pattern.compile("\"refused\": \\[(.+)]");
  private static final Pattern ERROR = Pattern.compile("\"error\": \"(.*)\"");

  private final FileForm form;
  private final Path folder;
  private final Tally tally;
  private final List<Oracle> h5py;
  private final Optional<Oracle> h5dump;
  private final Optional<Oracle> node;

  OtherReaders(FileForm form, Path folder, Tally tally) {
    this.form = form;
    this.folder = folder;
    this.tally = tally;
    this.h5py = Oracle.h5py().stream().filter(o -> form.isReadBy(o.hdf5())).toList();
    this.h5dump = Oracle.tool("h5dump").filter(o -> form.isReadBy(o.hdf5()));
    this.node = Oracle.node().filter(o -> form.isReadBy(o.hdf5()));
  }

  /** Returns the HDF5 versions of the h5py installations that can change files. */
  List<String> changers() {
    return h5py.stream().map(Oracle::hdf5).toList();
  }

  /** Reads all files with every program and compares the values with those that Skerry reads. */
  void everybodyReads(List<Path> files) throws IOException {
    Path ours = fresh("ours");
    Digests.write(ours, files);
    for (Oracle oracle : h5py) {
      compare(oracle.name(), oracle, ours, files);
      visit(oracle, files);
    }
    h5dump.ifPresent(tool -> files.forEach(file -> dump(tool, file)));
    if (node.isPresent()) {
      Path theirs = fresh("h5wasm");
      node.get().script(folder, "digest_files.mjs", line(files, theirs)).expectSuccess();
      compareOthers(
          "h5wasm",
          ours,
          theirs,
          files,
          "float of no usual format",
          "\\(e[0-9]+m[0-9]+\\)",
          "number with bits to spare",
          "offset=",
          "enumeration with the other byte order",
          "enum:[iu][0-9]+be",
          // Its HDF5 library cannot decode scale-offset data that h5py writes either.
          "scale-offset",
          "(?i)scale.?offset");
    }
    Path theirs = fresh("jhdf");
    JhdfDigests.write(theirs, files);
    compareOthers(
        "jHDF",
        ours,
        theirs,
        files,
        "float of no usual format",
        "\\(e[0-9]+m[0-9]+\\)",
        "number with bits to spare",
        "offset=",
        // It applies the inverse shuffle to the checksum as well.
        "checksum after shuffling",
        "(?i)shuffle.*fletcher",
        // It stops at the first entry without a chunk, even in files of the HDF5 library.
        "unwritten chunk in an extensible array",
        "array with gaps",
        // It assumes row-major order of the chunks, even in files of the HDF5 library.
        "extensible array whose first dimension is fixed",
        "array grown sideways");
  }

  /** Reads the changed files with one h5py. */
  void h5pyReads(String when, String hdf5, List<Path> files) throws IOException {
    Path ours = fresh("ours");
    Digests.write(ours, files);
    compare(when, oracle(hdf5), ours, files);
  }

  /** Changes all files with one h5py. */
  void change(String hdf5, long seed, List<Path> files) throws IOException {
    Path out = fresh("edited");
    Oracle oracle = oracle(hdf5);
    String low = seed % 2 == 0 ? "earliest" : "latest";
    ProcessResult ran =
        oracle.script(folder, "edit_files.py", line(files, seed, low, "latest", out));
    ran.expectSuccess();
    for (int i = 0; i < files.size(); i++) {
      String said = Files.readString(out.resolve(i + ".json"));
      Matcher error = ERROR.matcher(said);
      if (error.find()) {
        tally.defect("change by " + oracle + ": " + files.get(i) + " " + error.group(1));
        continue;
      }
      tally.count("files changed by " + oracle);
      Matcher refused = REFUSED.matcher(said);
      if (refused.find()) {
        for (String reason : refused.group(1).split("\", \"", -1)) {
          String plain = reason.replace("\\\"", "'").replaceAll("^\"", "");
          String kind = plain.replaceAll("[0-9]+", "N").replaceAll("\\\\.*", "");
          tally.count(oracle + " did not " + kind.substring(0, Math.min(110, kind.length())));
        }
      }
    }
  }

  private Oracle oracle(String hdf5) {
    return h5py.stream().filter(o -> o.hdf5().equals(hdf5)).findFirst().orElseThrow();
  }

  private Path fresh(String name) throws IOException {
    return Files.createDirectories(folder.resolve(name));
  }

  private static Object[] line(List<Path> files, Object... before) {
    List<Object> line = new ArrayList<>(List.of(before));
    line.addAll(files);
    return line.toArray();
  }

  private void compare(String judge, Oracle oracle, Path ours, List<Path> files)
      throws IOException {
    Path theirs = fresh("theirs");
    oracle.script(folder, "digest_files.py", line(files, theirs)).expectSuccess();
    ProcessResult ran = oracle.script(folder, "compare_digests.py", ours, theirs, files.size());
    tally.compared(judge, ran.out() + (ran.out().isBlank() ? ran.err() : ""));
  }

  /**
   * @param skipped pairs of a reason not to compare values and a pattern of their datatypes
   */
  private void compareOthers(
      String judge, Path ours, Path theirs, List<Path> files, String... skipped)
      throws IOException {
    if (!h5py.isEmpty()) {
      Path types = fresh("types");
      ExactTypes.write(types, files);
      List<Object> line = new ArrayList<>(List.of(ours, theirs, types, files.size()));
      line.addAll(List.of(skipped));
      ProcessResult ran = h5py.getFirst().script(folder, "compare_others.py", line.toArray());
      tally.compared(judge, ran.out() + (ran.out().isBlank() ? ran.err() : ""));
    }
  }

  private void visit(Oracle oracle, List<Path> files) throws IOException {
    Path out = fresh("visited");
    oracle.script(folder, "visit_files.py", line(files, out)).expectSuccess();
    for (int i = 0; i < files.size(); i++) {
      Matcher error = ERROR.matcher(Files.readString(out.resolve(i + ".json")));
      if (error.find()) {
        tally.defect(oracle + " visits: " + files.get(i) + " " + error.group(1));
      } else {
        tally.count(oracle + ": files visited");
      }
    }
  }

  /** Dumps only the structure of a file with filters that h5dump does not have. */
  private void dump(Oracle h5dump, Path file) {
    ProcessResult ran = h5dump.run(folder, file);
    if (ran.code() != 0 && usesOtherFilters(h5dump, file)) {
      ran = h5dump.run(folder, "-H", file);
      tally.count("h5dump: files shown without values");
    }
    if (ran.code() != 0 || !ran.err().isBlank()) {
      tally.defect("h5dump: code=" + ran.code() + " " + file + " " + ran.err());
    } else {
      tally.count("h5dump: files shown");
    }
  }

  private boolean usesOtherFilters(Oracle h5dump, Path file) {
    return h5dump.run(folder, "-p", "-H", file).out().contains("USER_DEFINED_FILTER");
  }
}
