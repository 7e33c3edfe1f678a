package io.skerry.integration.crash;

import io.skerry.H5File;
import io.skerry.Verification;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FoundJournal;
import io.skerry.recovery.FileRecovery;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Opens a state that a crash may leave, and compares it with the states that the program stored.
 */
final class StateCheck {
  private final CrashProgram program;
  private final Path folder;
  private final Path file;

  /** Numbers of completed steps by the text of the content, as Skerry and as h5py read it. */
  private final Map<String, TreeSet<Integer>> whole = new HashMap<>();

  private final Map<String, TreeSet<Integer>> dense = new HashMap<>();

  /**
   * @param folder folder in which the states are opened one after another
   */
  StateCheck(CrashProgram program, Path folder) {
    this.program = program;
    this.folder = folder;
    this.file = folder.resolve(CrashWriter.FILE);
    for (int done = 0; done <= program.steps().size(); done++) {
      if (program.mayBeStored(done)) {
        CrashModel model = program.model(done);
        whole.computeIfAbsent(model.text(program.loose()), _ -> new TreeSet<>()).add(done);
        dense.computeIfAbsent(model.denseText(program.loose()), _ -> new TreeSet<>()).add(done);
      }
    }
  }

  /** The mode in which a file is opened. */
  enum Opening {
    READING,
    WRITING,
    RECOVERED
  }

  /**
   * The result of a check.
   *
   * @param journal state of the journal before the file was opened
   * @param wrong description of the error, or empty if the state is that of a flush
   */
  record Verdict(FoundJournal.State journal, Optional<String> wrong) {}

  /** Returns whether the text that another program reads is the state of an allowed flush. */
  boolean isEpoch(CrashStates.Crashed crashed, String denseText) {
    return isAmong(dense, denseText, crashed);
  }

  private static boolean isAmong(
      Map<String, TreeSet<Integer>> known, String text, CrashStates.Crashed crashed) {
    TreeSet<Integer> done = known.get(text);
    return done != null
        && crashed.bounds().stream()
            .allMatch(one -> !done.subSet(one.acknowledged(), true, one.begun(), true).isEmpty());
  }

  /**
   * Writes a state to the folder.
   *
   * @return the file, or empty if the state does not contain it
   */
  Optional<Path> put(CrashStates.Crashed crashed) throws IOException {
    write(crashed.state());
    return Files.exists(file) ? Optional.of(file) : Optional.empty();
  }

  /** Opens the state in the folder in the given mode, then reads and verifies it. */
  Verdict check(CrashStates.Crashed crashed, Opening opening) throws IOException {
    if (!Files.exists(file)) {
      return new Verdict(
          FoundJournal.State.ABSENT,
          !crashed.isAfterFlush() ? Optional.empty() : Optional.of("the file is gone"));
    }
    FoundJournal.State journal = FoundJournal.State.ABSENT;
    try {
      journal = FileRecovery.look(file).map(FoundJournal::state).orElse(journal);
      look();
      open(opening);
      return new Verdict(journal, difference(crashed));
    } catch (RuntimeException e) {
      // Before its first flush, a file may be refused, but only with a clear message.
      boolean allowed = !crashed.isAfterFlush() && isClear(e);
      return new Verdict(journal, allowed ? Optional.empty() : Optional.of("refused: " + trace(e)));
    }
  }

  private static String trace(RuntimeException e) {
    StringWriter text = new StringWriter();
    e.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  /** Returns whether this is an exception of Skerry whose message names the file. */
  private static boolean isClear(RuntimeException e) {
    return e.getClass().getName().startsWith("io.skerry.")
        && String.valueOf(e.getMessage()).contains(CrashWriter.FILE);
  }

  /** Verifies the file before recovery; only an exception without a clear message is an error. */
  private void look() {
    try {
      var unused = Verification.of(file, _ -> {});
    } catch (RuntimeException e) {
      if (!isClear(e)) {
        throw new IllegalStateException("verify: " + e, e);
      }
    }
  }

  private void open(Opening opening) throws IOException {
    switch (opening) {
      case READING -> H5File.open(file).close();
      case WRITING -> H5File.openForWriting(file, Communicator.self()).close();
      case RECOVERED -> {
        var unused = FileRecovery.recover(file);
      }
    }
  }

  private Optional<String> difference(CrashStates.Crashed crashed) {
    try (H5File opened = H5File.open(file)) {
      String text = ContentText.of(opened, program.loose());
      if (!isAmong(whole, text, crashed)) {
        return Optional.of("not a flush: " + explained(text, crashed));
      }
      Optional<String> loose = InPlaceValues.difference(opened, program, crashed);
      if (loose.isPresent()) {
        return loose;
      }
    }
    if (Files.exists(folder.resolve(CrashWriter.FILE + ".journal"))) {
      return Optional.of("the journal stayed");
    }
    List<Verification.Finding> findings = new ArrayList<>();
    var unused = Verification.of(file, findings::add);
    return findings.isEmpty() ? Optional.empty() : Optional.of("findings: " + findings);
  }

  private String explained(String text, CrashStates.Crashed crashed) {
    List<String> lines = List.of(text.split("\n"));
    StringBuilder all = new StringBuilder("expected one of each of " + crashed.bounds());
    all.append(" steps=").append(whole.getOrDefault(text, new TreeSet<>()));
    for (CrashStates.Bounds bounds : crashed.bounds()) {
      for (int done = bounds.acknowledged(); done <= bounds.begun(); done++) {
        List<String> other = List.of(program.model(done).text(program.loose()).split("\n"));
        String last = done == 0 ? "none" : program.steps().get(done - 1).toString();
        all.append("\n after ").append(done).append(" steps, last ").append(last);
        lines.stream().filter(l -> !other.contains(l)).forEach(l -> all.append("\n  file  " + l));
        other.stream().filter(l -> !lines.contains(l)).forEach(l -> all.append("\n  model " + l));
      }
    }
    return all.toString();
  }

  private void write(DiskState state) throws IOException {
    for (String name : List.of(CrashWriter.FILE, CrashWriter.FILE + ".journal")) {
      Files.deleteIfExists(folder.resolve(name));
    }
    for (Map.Entry<String, byte[]> entry : state.files().entrySet()) {
      if (entry.getKey().startsWith(CrashWriter.FILE) && !entry.getKey().contains(".locktest.")) {
        Files.write(folder.resolve(entry.getKey()), entry.getValue());
      }
    }
  }
}
