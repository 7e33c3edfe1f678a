package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.datatype.Reference;
import io.skerry.mpi.Communicator;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests references and links in copied objects. */
class CopiedReferencesTest {
  private static final Reference OBJECT = new Reference(8, Reference.Kind.OBJECT);

  @TempDir private Path folder;

  private Path made(String name, Consumer<H5File> content) {
    return new CopyRun(folder).made(name, content);
  }

  private void between(
      Consumer<H5File> content, BiConsumer<H5File, H5File> copy, Consumer<H5File> check) {
    new CopyRun(folder).between(content, copy, check);
  }

  private static void referring(H5File file) {
    file.createDataset("/g/data", DatasetSpec.of(Datatype.U8, Shape.of(4)))
        .write(Selection.all(), new byte[] {1, 2, 3, 4});
    file.createDataset("/other", DatasetSpec.of(Datatype.U8, Shape.of(1)))
        .write(Selection.all(), new byte[] {5});
    List<Value> values =
        List.of(
            file.reference("/g/data"),
            file.reference("/other"),
            file.reference("/g"),
            new Value.NullReference());
    file.createDataset("/g/refs", DatasetSpec.of(OBJECT, Shape.of(4)))
        .writeValues(Selection.all(), values);
    Reference region = new Reference(12, Reference.Kind.REGION);
    file.group("/g")
        .setAttribute(
            "part", region, Shape.of(1), List.of(file.reference("/g/data", Selection.at(2))));
  }

  private static List<String> targets(H5File file, String path) {
    return file.dataset(path).readValues(Selection.all()).stream()
        .map(value ->
            value instanceof Value.ObjectReference(Value.Target target)
                ? target.path().orElse("nowhere")
                : "null")
        .toList();
  }

  @Test
  void references_become_null_in_another_file_and_are_kept_in_the_same_file() {
    between(
        CopiedReferencesTest::referring,
        (source, target) -> source.copy("/g", target, "/g"),
        file -> {
          assertEquals(List.of("null", "null", "null", "null"), targets(file, "/g/refs"));
          assertInstanceOf(
              Value.NullReference.class,
              file.group("/g").attribute("part").orElseThrow().values(file.contents()).getFirst());
        });
    Path path = made("same.h5", CopiedReferencesTest::referring);
    try (H5File file = H5File.openForWriting(path, Communicator.self())) {
      file.copy("/g", file, "/h");
    }
    CopyRun.checked(
        path,
        file -> assertEquals(List.of("/g/data", "/other", "/g", "null"), targets(file, "/h/refs")));
  }

  @Test
  void references_are_read_with_the_current_paths_of_their_objects() {
    try (H5File file = H5File.create(folder.resolve("moved.h5"))) {
      referring(file);
      assertEquals(List.of("/g/data", "/other", "/g", "null"), targets(file, "/g/refs"));
      file.move("/other", "/another");
      assertEquals(List.of("/g/data", "/another", "/g", "null"), targets(file, "/g/refs"));
      file.createGroup("/new");
      file.dataset("/g/refs").writeValues(Selection.at(3), List.of(file.reference("/new")));
      assertEquals(List.of("/g/data", "/another", "/g", "/new"), targets(file, "/g/refs"));
    }
  }

  @Test
  void references_follow_copied_objects_or_cause_their_copy() {
    between(
        CopiedReferencesTest::referring,
        (source, target) -> source.copy("/g", target, "/h", CopyOption.KEEP_INNER_REFERENCES),
        file -> {
          assertEquals(List.of("/h/data", "null", "/h", "null"), targets(file, "/h/refs"));
          assertEquals(1, file.root().links().size());
        });
    between(
        CopiedReferencesTest::referring,
        (source, target) -> source.copy("/g", target, "/h", CopyOption.EXPAND_REFERENCES),
        file -> {
          List<String> found = targets(file, "/h/refs");
          assertEquals("/h/data", found.get(0));
          assertTrue(found.get(1).startsWith("/~obj_pointed_by_"), found.get(1));
          assertArrayEquals(new byte[] {5}, file.dataset(found.get(1)).readBytes(Selection.all()));
          Value.RegionReference part =
              (Value.RegionReference)
                  file.group("/h")
                      .attribute("part")
                      .orElseThrow()
                      .values(file.contents())
                      .getFirst();
          assertEquals(Optional.of("/h/data"), part.target().path());
          assertEquals(1, part.region().count(Shape.of(4)));
        });
  }

  @Test
  void options_leave_out_members_and_attributes_and_follow_links() {
    made(
        "other.h5",
        file ->
            file.createDataset("/x", DatasetSpec.of(Datatype.U8, Shape.of(1)))
                .write(Selection.all(), new byte[] {9}));
    Consumer<H5File> content =
        file -> {
          file.createGroup("/g/inner/deep").setAttribute(Attribute.of("a", 1));
          file.group("/g").setAttribute(Attribute.of("b", 2));
          file.createDataset("/outside", DatasetSpec.of(Datatype.U8, Shape.of(1)))
              .write(Selection.all(), new byte[] {8});
          file.createSoftLink("/g/soft", "/outside");
          file.createSoftLink("/g/dangling", "/nothing");
          file.createExternalLink("/g/elsewhere", "other.h5", "/x");
          file.createExternalLink("/g/lost", "lost.h5", "/x");
        };
    between(
        content,
        (source, target) ->
            source.copy("/g", target, "/g", CopyOption.SHALLOW, CopyOption.WITHOUT_ATTRIBUTES),
        file -> {
          assertEquals(List.of(), file.group("/g").attributes());
          assertEquals(List.of(), file.group("/g/inner").links());
          assertEquals(5, file.group("/g").links().size());
        });
    between(
        content,
        (source, target) ->
            source.copy("/g", target, "/g", CopyOption.EXPAND_SOFT, CopyOption.EXPAND_EXTERNAL),
        file -> {
          assertArrayEquals(new byte[] {8}, file.dataset("/g/soft").readBytes(Selection.all()));
          assertArrayEquals(
              new byte[] {9}, file.dataset("/g/elsewhere").readBytes(Selection.all()));
          List<Group.Link> links = file.group("/g").links();
          assertEquals(new Group.Soft("dangling", "/nothing"), links.get(0));
          assertInstanceOf(Group.Hard.class, links.get(1));
          assertEquals(new Group.External("lost", "lost.h5", "/x"), links.get(3));
        });
  }
}
