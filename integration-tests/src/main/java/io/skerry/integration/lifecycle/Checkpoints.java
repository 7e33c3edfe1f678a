package io.skerry.integration.lifecycle;

import io.skerry.DatasetSpec.Storage;
import io.skerry.H5File;
import io.skerry.SpaceReport;
import io.skerry.Verification;
import io.skerry.datatype.Datatype;
import io.skerry.format.FormatBounds;
import io.skerry.testkit.oracle.Oracle;
import io.skerry.testkit.oracle.ProcessResult;
import io.skerry.value.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Verifies closed files, and compares their content with the model by means of a decoder that
 * shares no code with the library. The decoder is slow to start, so one run reads copies of many
 * files. Local.
 */
final class Checkpoints {
  /** The number of copies at which the decoder runs. */
  private static final int MANY = 60;

  private final Path folder;
  private final Optional<Oracle> decoder;
  private final List<Path> waiting = new ArrayList<>();
  private int verified;
  private int decoded;
  private long cells;

  /**
   * Creates the checks.
   *
   * @param decoder the Python installation with NumPy that runs the decoder; if empty, files are
   *     only verified
   */
  Checkpoints(Path folder, Optional<Oracle> decoder) {
    this.folder = folder;
    this.decoder = decoder;
  }

  /** Returns the number of verified files. */
  int verified() {
    return verified;
  }

  /** Returns the number of files that the decoder has read. */
  int decoded() {
    return decoded;
  }

  /** Returns the number of elements that the decoder has found. */
  long cells() {
    return cells;
  }

  /**
   * Returns the content that the decoder must find in an open file.
   *
   * @param bounds the format version bounds of the file; the decoder cannot read dense datasets
   *     written with the earliest bounds
   */
  static String expectation(H5File file, FormatBounds bounds, List<DatasetModel> datasets) {
    PlainJson plain = new PlainJson(path -> file.reference(path).target().address());
    return PlainJson.list(
        datasets.stream()
            .filter(d -> d.storage() != Storage.DENSE || bounds != FormatBounds.EARLIEST)
            .map(dataset -> expectation(plain, dataset))
            .toList());
  }

  private static String expectation(PlainJson plain, DatasetModel dataset) {
    List<String> cells = new ArrayList<>();
    Datatype type = dataset.type();
    for (Map.Entry<List<Long>, Value> cell : dataset.cells().entrySet()) {
      cells.add("[" + PlainJson.list(cell.getKey()) + "," + plain.of(type, cell.getValue()) + "]");
    }
    return "{\"path\":"
        + PlainJson.quoted(dataset.path())
        + ",\"storage\":"
        + PlainJson.quoted(dataset.storage().name())
        + ",\"shape\":"
        + PlainJson.list(LongStream.of(dataset.extent()).boxed().toList())
        + ",\"cells\":"
        + PlainJson.list(cells)
        + "}";
  }

  /**
   * Verifies a closed file.
   *
   * @param name the name of the file, for messages
   * @throws AssertionError if the verification has findings
   */
  void sound(Path file, String name) {
    List<Verification.Finding> findings = new ArrayList<>();
    SpaceReport unused = Verification.of(file, findings::add);
    if (!findings.isEmpty()) {
      throw new AssertionError("not sound: file=" + name + " findings=" + findings);
    }
    verified++;
  }

  /**
   * Keeps a copy of a closed file for the decoder, and runs the decoder once there are enough
   * copies. Does nothing without a decoder.
   *
   * @throws AssertionError if the decoder finds unexpected content in one of the copies
   */
  void decode(Path file, String name, String expectation) {
    if (decoder.isEmpty()) {
      return;
    }
    try {
      Path copy = Files.copy(file, folder.resolve(name));
      waiting.add(copy);
      Files.writeString(
          expected(),
          "{\"file\":\"" + copy + "\",\"datasets\":" + expectation + "}\n",
          StandardCharsets.US_ASCII,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (waiting.size() >= MANY) {
      decodeAll();
    }
  }

  private Path expected() {
    return folder.resolve("expected.jsonl");
  }

  /**
   * Runs the decoder on all kept copies, and deletes the copies if their content is as expected.
   */
  void decodeAll() {
    if (waiting.isEmpty()) {
      return;
    }
    ProcessResult ran =
        decoder.orElseThrow().script(folder, "check_model.py", Oracle.tools(), expected());
    if (ran.code() != 0) {
      throw new AssertionError("decoded a second time: " + ran.out() + ran.err());
    }
    decoded += waiting.size();
    cells += Long.parseLong(ran.out().strip().split(" ")[1]);
    try {
      for (Path copy : waiting) {
        Files.delete(copy);
      }
      Files.delete(expected());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    waiting.clear();
  }
}
