package io.skerry.integration.crash;

import io.skerry.H5File;
import io.skerry.Verification;
import io.skerry.mpi.Communicator;
import io.skerry.recovery.FileRecovery;
import io.skerry.recovery.FoundJournal;
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

/** Opens what a crash has left, and compares it with what the program had stored. */
final class StateCheck {
  private final CrashProgram program;
  private final Path folder;
  private final Path file;

  /** Numbers of steps done by what the file holds then, and by what other programs see of it. */
  private final Map<String, TreeSet<Integer>> whole = new HashMap<>();

  private final Map<String, TreeSet<Integer>> dense = new HashMap<>();

  /**
   * @param folder in which the states are opened one after the other
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

  /** How to open a file. */
  enum Opening {
    READING,
    WRITING,
    RECOVERED
  }

  /**
   * What was found.
   *
   * @param journal before anything was opened
   * @param wrong empty if the state is that of a flush
   */
  record Verdict(FoundJournal.State journal, Optional<String> wrong) {}

  /** Returns whether another program reads what one of the allowed flushes has stored. */
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
   * Puts a state into the folder.
   *
   * @return the file, if the state has it
   */
  Optional<Path> put(CrashStates.Crashed crashed) throws IOException {
    write(crashed.state());
    return Files.exists(file) ? Optional.of(file) : Optional.empty();
  }

  /** Opens the state in the folder in one of the ways, and then reads and verifies it. */
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
      // Before its first flush a file is nobody's; what is refused must say so in plain words.
      boolean allowed = !crashed.isAfterFlush() && isClear(e);
      return new Verdict(journal, allowed ? Optional.empty() : Optional.of("refused: " + trace(e)));
    }
  }

  private static String trace(RuntimeException e) {
    StringWriter text = new StringWriter();
    e.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  /** An exception of Skerry's own with a message that names the file. */
  private static boolean isClear(RuntimeException e) {
    return e.getClass().getName().startsWith("io.skerry.")
        && String.valueOf(e.getMessage()).contains(CrashWriter.FILE);
  }

  /** Verifying changes nothing, and half a flush is a finding. */
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
