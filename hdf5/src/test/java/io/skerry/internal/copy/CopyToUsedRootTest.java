package io.skerry.internal.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Attribute;
import io.skerry.CopyOption;
import io.skerry.CopyRun;
import io.skerry.H5File;
import io.skerry.ObjectCopier;
import io.skerry.SpaceReport;
import io.skerry.Verification;
import io.skerry.format.FormatBounds;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests copies of all objects into a file whose root group already has attributes. */
class CopyToUsedRootTest {
  @TempDir private Path folder;

  private Path source(int attributes) {
    return new CopyRun(folder)
        .made(
            "in.h5",
            file -> {
              file.createGroup("/g");
              add(file, "copied", attributes);
            });
  }

  private static void add(H5File file, String name, int count) {
    for (int i = 0; i < count; i++) {
      file.root().setAttribute(Attribute.of(name + i, i));
    }
  }

  private static void check(H5File file, int own, int copied) {
    TreeSet<String> expected = new TreeSet<>();
    for (int i = 0; i < own; i++) {
      expected.add("own" + i + "=" + i);
    }
    for (int i = 0; i < copied; i++) {
      expected.add("copied" + i + "=" + i);
    }
    TreeSet<String> found = new TreeSet<>();
    file.root()
        .attributes()
        .forEach(attribute -> found.add(attribute.name() + "=" + attribute.longs()[0]));
    assertEquals(expected, found);
    assertEquals(1, file.root().links().size());
  }

  @ParameterizedTest
  @CsvSource({
    "EARLIEST,2,3",
    "V110,2,3",
    "V200,2,3",
    "V110,2,0",
    "V110,5,6",
    "V110,20,3",
    "V110,3,20",
    "EARLIEST,20,20",
    "V110,20,20"
  })
  void the_root_group_keeps_its_attributes(FormatBounds bounds, int own, int copied) {
    Path in = source(copied);
    FileOptions options = FileOptions.standard().withBounds(bounds);
    Path fresh = folder.resolve("fresh.h5");
    try (H5File source = H5File.open(in);
        H5File target = H5File.create(fresh, Communicator.self(), options)) {
      add(target, "own", own);
      ObjectCopier.between(source, target).copyAll();
    }
    CopyRun.checked(fresh, file -> check(file, own, copied));
    Path stored = folder.resolve("stored.h5");
    try (H5File target = H5File.create(stored, Communicator.self(), options)) {
      add(target, "own", own);
    }
    try (H5File source = H5File.open(in);
        H5File target = H5File.openForWriting(stored, Communicator.self())) {
      ObjectCopier.between(source, target).copyAll();
    }
    // A change to a stored file may leave free space, which counts as unclaimed.
    List<Verification.Finding> findings = new ArrayList<>();
    SpaceReport unused = Verification.of(stored, findings::add);
    assertEquals(List.of(), findings);
    try (H5File file = H5File.open(stored)) {
      check(file, own, copied);
    }
  }

  @ParameterizedTest
  @EnumSource(FormatBounds.class)
  void an_attribute_that_the_root_group_has_already_is_not_replaced(FormatBounds bounds) {
    Path out = folder.resolve("out.h5");
    FileOptions options = FileOptions.standard().withBounds(bounds);
    try (H5File source = H5File.open(source(2));
        H5File target = H5File.create(out, Communicator.self(), options)) {
      target.root().setAttribute(Attribute.of("copied1", 7));
      CollectiveException refused =
          assertThrows(
              CollectiveException.class, () -> ObjectCopier.between(source, target).copyAll());
      assertTrue(refused.getMessage().contains("attribute=copied1"), refused.getMessage());
      assertEquals(0, target.root().links().size());
      assertEquals(1, target.root().attributes().size());
      ObjectCopier.between(source, target, CopyOption.WITHOUT_ATTRIBUTES).copyAll();
    }
    CopyRun.checked(
        out,
        file -> {
          assertEquals(7, file.root().attribute("copied1").orElseThrow().longs()[0]);
          assertEquals(1, file.root().attributes().size());
          assertEquals(1, file.root().links().size());
        });
  }
}
