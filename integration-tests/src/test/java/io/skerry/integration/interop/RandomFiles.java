package io.skerry.integration.interop;

import io.skerry.SpaceReport;
import io.skerry.Verification;
import io.skerry.integration.random.FileForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes random files of one form and reads them with all other programs. Then h5py changes the
 * files and reads them, and Skerry changes them again before h5py reads them once more. A {@link
 * Tally} collects all results.
 */
final class RandomFiles {
  private final FileForm form;
  private final Path folder;
  private final Tally tally;
  private final OtherReaders judges;

  RandomFiles(FileForm form, Path folder, Tally tally) {
    this.form = form;
    this.folder = folder;
    this.tally = tally;
    this.judges = new OtherReaders(form, folder, tally);
  }

  /** Writes, reads and changes a file for each of {@code count} seeds. */
  void judge(long first, int count) throws IOException {
    List<Path> files = new ArrayList<>();
    for (long seed = first; seed < first + count; seed++) {
      Path path = folder.resolve(form.name() + "-" + seed + ".h5");
      if (write(seed, path)) {
        files.add(path);
      }
    }
    judges.everybodyReads(files);
    List<String> changers = judges.changers();
    for (String hdf5 : changers) {
      // The first h5py changes all files, the others one fifth of them.
      boolean all = hdf5.equals(changers.getFirst());
      List<Path> changed = copies(all ? files : files.subList(0, (files.size() + 4) / 5), hdf5);
      judges.change(hdf5, first, changed);
      changed.forEach(path -> verify("verify after h5py on HDF5 " + hdf5, path));
      judges.h5pyReads("after h5py on HDF5 " + hdf5, hdf5, changed);
      List<Path> again = new ArrayList<>();
      for (int i = 0; i < changed.size(); i++) {
        if (changeAgain(first + i, changed.get(i), hdf5)) {
          again.add(changed.get(i));
        }
      }
      judges.h5pyReads("after Skerry changed what h5py had changed", hdf5, again);
      for (Path path : changed) {
        Files.delete(path);
      }
    }
    if (tally.of("defects") == 0) {
      for (Path path : files) {
        Files.delete(path);
      }
    }
  }

  private List<Path> copies(List<Path> files, String hdf5) throws IOException {
    List<Path> copies = new ArrayList<>();
    for (Path file : files) {
      Path copy = folder.resolve("changed by " + hdf5 + " " + file.getFileName());
      Files.deleteIfExists(copy);
      copies.add(Files.copy(file, copy));
    }
    return copies;
  }

  private boolean write(long seed, Path path) {
    try {
      WritingPlan plan = WritingPlan.of(seed, form);
      plan.write(path);
      plan.difference(path).ifPresent(what -> tally.defect("not as planned: " + path + " " + what));
      tally.count("files written");
      tally.count("steps", plan.sessions().stream().mapToLong(s -> s.steps().size()).sum());
      verify("verify", path);
      return true;
    } catch (RuntimeException e) {
      tally.defect("writing: seed=" + seed + " " + Tally.story(e));
      return false;
    }
  }

  private boolean changeAgain(long seed, Path path, String hdf5) {
    try {
      RandomChanges.change(seed, form, path);
      verify("verify after Skerry changed what h5py had changed", path);
      return true;
    } catch (RuntimeException e) {
      tally.defect("changing after " + hdf5 + ": " + path + " " + Tally.story(e));
      return false;
    }
  }

  private void verify(String judge, Path path) {
    List<Verification.Finding> findings = new ArrayList<>();
    SpaceReport unused = Verification.of(path, findings::add);
    if (findings.isEmpty()) {
      tally.count(judge + ": clean");
    } else {
      tally.defect(judge + ": " + path + " " + findings.getFirst());
    }
  }
}
