package io.skerry.testkit.mpi;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.file.FileView;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.SharedFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Conformance suite for opening files on several ranks: modes, missing files, hints. */
public final class FileOpeningConformance implements RankedCases {

  @Override
  public List<RankedCase> cases() {
    return List.of(
        new RankedCase("a_missing_file_is_missing_on_all_ranks", FileOpeningConformance::missing),
        new RankedCase(
            "a_file_that_one_rank_lacks_opens_on_none", FileOpeningConformance::missingOnOne),
        new RankedCase("create_cuts_an_existing_file", FileOpeningConformance::create),
        new RankedCase("a_file_for_reading_refuses_writes", FileOpeningConformance::readOnly),
        new RankedCase("unknown_hints_do_no_harm", FileOpeningConformance::hints),
        new RankedCase(
            "a_file_whose_hints_one_rank_cannot_set_opens_on_all_ranks_or_none",
            FileOpeningConformance::hintOfOneRank),
        new RankedCase("two_halves_write_two_files_at_once", FileOpeningConformance::halves));
  }

  private static void missing(Communicator world) throws IOException {
    try (var folder = SharedFolder.create(world)) {
      expectMissing(world, folder.file("none"), OpenMode.READ, 0);
      expectMissing(world, folder.file("none"), OpenMode.WRITE, 0);
      expectMissing(world, folder.file("no-folder/none"), OpenMode.CREATE, 0);
      var error =
          Expect.thrown(
              MpiException.class,
              () -> world.openFile(folder.path(), OpenMode.READ, Map.of()),
              "opening a folder");
      Expect.equal(MpiErrorClass.ACCESS, error.errorClass(), "class");
      world.barrier();
    }
  }

  private static void expectMissing(Communicator world, Path path, OpenMode mode, int failing) {
    var error =
        Expect.thrown(MpiException.class, () -> world.openFile(path, mode, Map.of()), "opening");
    Expect.equal(MpiErrorClass.NO_SUCH_FILE, error.errorClass(), "class");
    Expect.equal("openFile", error.operation(), "operation");
    Expect.equal(world.rank(), error.rank(), "rank");
    Expect.that(error.text().contains("failingRank=" + failing), "text: " + error.getMessage());
    Expect.that(error.text().contains("path=" + path), "text: " + error.getMessage());
  }

  private static void missingOnOne(Communicator world) throws IOException {
    int last = world.size() - 1;
    try (var folder = SharedFolder.create(world)) {
      if (world.rank() == 0) {
        Files.write(folder.file("there"), new byte[] {1});
      }
      world.barrier();
      var path = folder.file(world.rank() == last ? "none" : "there");
      expectMissing(world, path, OpenMode.READ, last);
      world.barrier();
    }
  }

  private static void create(Communicator world) throws IOException {
    try (var folder = SharedFolder.create(world)) {
      if (world.rank() == 0) {
        Files.write(folder.file("data"), new byte[1000]);
      }
      world.barrier();
      try (var file = world.openFile(folder.file("data"), OpenMode.WRITE, Map.of())) {
        Expect.equal(1000L, file.size(), "writing keeps what is there");
        Expect.equal(folder.file("data"), file.path(), "path");
        world.barrier();
      }
      try (var file = MpiFileConformance.create(world, folder)) {
        Expect.equal(0L, file.size(), "size of a file created anew");
        world.barrier();
      }
    }
  }

  private static void readOnly(Communicator world) throws IOException {
    try (var folder = SharedFolder.create(world)) {
      if (world.rank() == 0) {
        Files.write(folder.file("data"), new byte[] {5, 6});
      }
      world.barrier();
      var file = world.openFile(folder.file("data"), OpenMode.READ, Map.of());
      var view = FileView.of(0, 1);
      refused(() -> file.writeAtAll(view, MpiFileConformance.segment(1)));
      refused(() -> file.writeAt(0, MpiFileConformance.segment(1)));
      refused(() -> file.setSize(0));
      var back = MpiFileConformance.segment(0, 0);
      file.readAtAll(FileView.of(0, 2), back);
      Expect.bytes(new byte[] {5, 6}, back, "bytes");
      file.close();
      file.close();
      refused(() -> file.readAt(0, MpiFileConformance.segment(1)));
      refused(() -> file.readAtAll(view, MpiFileConformance.segment(1)));
      world.barrier();
    }
  }

  private static void refused(Expect.Action action) {
    Expect.thrown(IllegalStateException.class, action, "refusal");
  }

  private static void hints(Communicator world) throws IOException {
    var hints = Map.of("cb_nodes", "1", "no_such_hint_at_all", "x");
    try (var folder = SharedFolder.create(world);
        var file = world.openFile(folder.file("data"), OpenMode.CREATE, hints)) {
      file.writeAtAll(FileView.of(world.rank(), 1), MpiFileConformance.segment(world.rank()));
      file.sync();
      Expect.equal((long) world.size(), file.size(), "size");
      world.barrier();
    }
  }

  private static void hintOfOneRank(Communicator world) throws IOException {
    boolean last = world.rank() == world.size() - 1;
    Map<String, String> hints = last ? Map.of("longer_than_any_key".repeat(100), "x") : Map.of();
    try (var folder = SharedFolder.create(world)) {
      Optional<MpiFile> file = Optional.empty();
      try {
        file = Optional.of(world.openFile(folder.file("data"), OpenMode.CREATE, hints));
      } catch (MpiException e) {
        Expect.equal("openFile", e.operation(), "operation");
      }
      long opened = world.allReduce(file.isPresent() ? 1 : 0, Reduction.SUM);
      file.ifPresent(MpiFile::close);
      Expect.that(opened == 0 || opened == world.size(), "opened on ranks: " + opened);
    }
  }

  private static void halves(Communicator world) throws IOException {
    try (var folder = SharedFolder.create(world);
        var half = world.split(world.rank() % 2, 0)) {
      try (var file =
          half.openFile(folder.file("half" + world.rank() % 2), OpenMode.CREATE, Map.of())) {
        for (int round = 0; round < world.rank() % 2 + 3; round++) {
          file.writeAtAll(
              FileView.of((long) round * half.size() + half.rank(), 1),
              MpiFileConformance.segment(round + 1));
        }
        file.sync();
        var last = MpiFileConformance.segment(0);
        file.readAt(file.size() - 1, last);
        Expect.bytes(new byte[] {(byte) (world.rank() % 2 + 3)}, last, "last byte of a half");
        half.barrier();
      }
      world.barrier();
    }
  }
}
