package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Attribute;
import io.skerry.AttributeOrder;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.LinkOrder;
import io.skerry.NamedDatatype;
import io.skerry.NoSuchObjectException;
import io.skerry.ObjectCopier;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Reference;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Contents;
import io.skerry.value.Value;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests groups, links, committed datatypes and attributes in containers. */
class IodObjectsTest {
  @TempDir Path folder;
  private ContainerFixture container;

  /** Returns the number of ranks that run each test together. */
  int ranks() {
    return 1;
  }

  @BeforeEach
  void setUp() {
    container = new ContainerFixture(folder.resolve("run"), ranks());
  }

  private static List<String> names(H5File file, String group) {
    return file.group(group).links().stream().map(Group.Link::name).toList();
  }

  private static Throwable cause(Runnable call) {
    return assertThrows(CollectiveException.class, call::run).getCause();
  }

  @Test
  void a_failed_step_changes_nothing() {
    container.create(
        file -> {
          file.createGroup("/a/b");
          file.createDataset("/a/d", DatasetSpec.of(Datatype.I32, Shape.of(2)));
          assertInstanceOf(
              UnsupportedFeatureException.class,
              cause(() -> file.createExternalLink("/new/x", "other.h5", "/y")));
          // The groups above the name are created first, and then removed again.
          assertInstanceOf(
              IllegalStateException.class,
              cause(() -> file.createGroup("/a/d", LinkOrder.UNTRACKED)));
          assertInstanceOf(
              NoSuchObjectException.class, cause(() -> file.createHardLink("/new/x", "/missing")));
          assertInstanceOf(
              NoSuchObjectException.class, cause(() -> file.createGroup("/a/d/below")));
          assertInstanceOf(IllegalArgumentException.class, cause(() -> file.move("/a", "/a/b/c")));
          assertInstanceOf(
              UnsupportedFeatureException.class,
              cause(() ->
                  file.createDataset(
                      "/new/nested",
                      DatasetSpec.of(
                          VariableLength.sequence(VariableLength.string(CharacterSet.ASCII)),
                          Shape.of(2)))));
        },
        file -> {
          assertEquals(List.of("a"), names(file, "/"));
          assertEquals(List.of("b", "d"), names(file, "/a"));
          assertEquals(List.of(), names(file, "/a/b"));
        });
  }

  @Test
  void a_copy_that_cannot_begin_changes_nothing() {
    IllegalStateException stop = new IllegalStateException("stop");
    container.create(
        file -> {
          file.createDataset("/a/d", DatasetSpec.of(Datatype.I32, Shape.of(2)));
          file.createGroup("/taken");
          assertInstanceOf(
              IllegalStateException.class, cause(() -> file.copy("/a", file, "/taken")));
          assertInstanceOf(IllegalArgumentException.class, cause(() -> file.copy("/a", file, "/")));
          assertInstanceOf(
              NoSuchObjectException.class, cause(() -> file.copy("/missing", file, "/new")));
          ObjectCopier failing =
              ObjectCopier.between(file, file)
                  .storing(_ -> {
                    throw stop;
                  });
          assertEquals(stop, cause(() -> failing.copy("/a", "/new")));
        },
        file -> {
          assertEquals(List.of("a", "taken"), names(file, "/"));
          assertEquals(List.of("d"), names(file, "/a"));
        });
  }

  @Test
  void links_are_followed_moved_and_removed() {
    container.create(
        file -> {
          file.createDataset("/a/d", DatasetSpec.of(Datatype.I32, Shape.of(2)));
          file.createSoftLink("/s", "a");
          file.createSoftLink("/loop", "/loop");
          // Created through a soft link.
          file.createGroup("/s/below");
          file.createHardLink("/second", "/a/d");
          file.move("/a/d", "/b/c/e");
          file.unlink("/b/c/e");
        },
        file -> {
          assertEquals(List.of("a", "b", "loop", "s", "second"), names(file, "/"));
          assertEquals(List.of("below"), names(file, "/a"));
          assertEquals(List.of(), names(file, "/b/c"));
          assertEquals(Shape.of(2), file.dataset("/second").shape());
          assertThrows(NoSuchObjectException.class, () -> file.object("/loop"));
          assertThrows(NoSuchObjectException.class, () -> file.object("/second/x"));
          assertThrows(UnsupportedFeatureException.class, () -> file.reference("/s/below"));
        });
  }

  @Test
  void an_object_is_deleted_with_its_last_link_and_all_that_it_owns() {
    container.create(
        file -> {
          Dataset texts =
              file.createDataset(
                  "/g/texts",
                  DatasetSpec.of(VariableLength.string(CharacterSet.UTF8), Shape.of(3)).chunked(2));
          texts.write(Selection.all(), new String[] {"one", "two", "three"});
          texts.setAttribute(
              "note",
              VariableLength.string(CharacterSet.UTF8),
              Shape.of(1),
              List.of(new Value.Text("of the texts")));
          file.createHardLink("/g/again", "/g/texts");
          file.flush();
          file.unlink("/g");
          assertThrows(CollectiveException.class, () -> texts.readStrings(Selection.all()));
          assertThrows(IllegalStateException.class, texts::usage);
          assertThrows(IllegalStateException.class, texts::attributes);
        },
        file -> assertEquals(List.of(), names(file, "/")));
  }

  @Test
  void a_committed_datatype_lasts_as_long_as_objects_share_it() {
    container.create(
        file -> {
          NamedDatatype type = file.createDatatype("/t", Datatype.I16);
          file.createDataset("/d", DatasetSpec.of(type, Shape.of(3)));
          file.root()
              .setAttribute("shared", type, Shape.of(1), List.of(new Value.Whole(BigInteger.TWO)));
          Value reference = file.reference("/t");
          Dataset references =
              file.createDataset(
                  "/refs", DatasetSpec.of(new Reference(8, Reference.Kind.OBJECT), Shape.of(2)));
          references.writeValues(Selection.all(), List.of(reference, file.reference("/refs")));
          assertEquals(
              List.of(reference, file.reference("/refs")), references.readValues(Selection.all()));
          file.unlink("/t");
          file.unlink("/d");
        },
        file -> {
          assertEquals(List.of("refs"), names(file, "/"));
          assertEquals(2, file.root().attribute("shared").orElseThrow().longs()[0]);
          Value.ObjectReference dangling =
              (Value.ObjectReference) file.dataset("/refs").readValues(Selection.all()).getFirst();
          assertTrue(dangling.target().path().isEmpty(), "no link leads to the datatype");
          assertTrue(dangling.target().address() > 0, "an address is positive");
          assertTrue(file.contents().isObject(dangling.target().address()), "still shared");
        });
    container.change(
        file -> file.root().deleteAttribute("shared"),
        file -> {
          Value.ObjectReference dangling =
              (Value.ObjectReference) file.dataset("/refs").readValues(Selection.all()).getFirst();
          assertFalse(file.contents().isObject(dangling.target().address()), "removed");
        });
  }

  @Test
  void attributes_keep_the_order_of_creation_if_it_is_tracked() {
    container.create(
        file -> {
          Group tracked = file.createGroup("/tracked", LinkOrder.UNTRACKED, AttributeOrder.TRACKED);
          Group plain = file.createGroup("/plain");
          for (Group group : List.of(tracked, plain)) {
            group.setAttribute(Attribute.of("z", 1L));
            group.setAttribute(Attribute.of("b", 2L));
            group.setAttribute(Attribute.of("a", 3L));
            group.renameAttribute("b", "x");
            assertInstanceOf(NoSuchObjectException.class, cause(() -> group.deleteAttribute("b")));
            assertInstanceOf(
                IllegalArgumentException.class, cause(() -> group.renameAttribute("x", "a")));
          }
          plain.setAttribute(Attribute.empty("nothing", Datatype.F32));
          plain.setAttribute("none", Datatype.I32, Shape.of(0, 3), List.of());
        },
        file -> {
          assertEquals(
              List.of("z", "x", "a"),
              file.group("/tracked").attributes().stream().map(Attribute::name).toList());
          assertEquals(
              List.of("a", "none", "nothing", "x", "z"),
              file.group("/plain").attributes().stream().map(Attribute::name).toList());
          assertTrue(
              file.group("/plain").attribute("nothing").orElseThrow().hasNoElements(), "null");
          assertEquals(
              Shape.of(0, 3), file.group("/plain").attribute("none").orElseThrow().shape());
        });
  }

  @Test
  void changes_after_the_last_flush_are_discarded() {
    try (H5File file = container.open(FileAccess.CREATE)) {
      file.createGroup("/kept");
      file.flush();
      file.createGroup("/lost");
      file.discard();
      assertThrows(IllegalStateException.class, file.root()::links);
    }
    container.change(
        file -> file.createGroup("/later"),
        file -> assertEquals(List.of("kept", "later"), names(file, "/")));
  }

  @Test
  void a_closed_file_refuses_every_address() {
    H5File file = container.open(FileAccess.CREATE);
    file.createGroup("/g");
    Contents contents = file.contents();
    long group = file.reference("/g").target().address();
    assertTrue(contents.isObject(group), "a group");
    assertEquals(Optional.of("/g"), contents.pathOf(group));
    // A negative number is no address.
    assertFalse(contents.isObject(-1), "no object");
    assertEquals(Optional.empty(), contents.pathOf(-1));
    file.close();
    for (long address : new long[] {group, -1}) {
      assertThrows(IllegalStateException.class, () -> contents.isObject(address));
      assertThrows(IllegalStateException.class, () -> contents.pathOf(address));
    }
  }

  @Test
  void only_one_opener_writes_and_no_other_folder_is_replaced() throws Exception {
    try (H5File file = container.open(FileAccess.CREATE)) {
      file.createGroup("/g");
      assertThrows(CollectiveException.class, () -> container.open(FileAccess.WRITE));
      assertThrows(CollectiveException.class, () -> container.open(FileAccess.CREATE));
    }
    ContainerFixture other = new ContainerFixture(folder.resolve("other"), ranks());
    assertThrows(CollectiveException.class, () -> other.open(FileAccess.READ));
    Files.createDirectory(other.path());
    Files.writeString(other.path().resolve("notes"), "text");
    assertThrows(CollectiveException.class, () -> other.open(FileAccess.CREATE));
    assertEquals("text", Files.readString(other.path().resolve("notes")));
    try (H5File file = container.open(FileAccess.READ)) {
      assertTrue(file.size() > 0, "size in bytes");
    }
  }
}
