package io.skerry.integration.interop.written;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.Attribute;
import io.skerry.AttributeOrder;
import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.LinkOrder;
import io.skerry.NamedDatatype;
import io.skerry.SpaceReport;
import io.skerry.Verification;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import io.skerry.value.Value;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the creation order and the committed datatypes of attributes, and the conversion between
 * compact and dense storage.
 */
class AttributeOrderTest {
  private static final String NAMES =
      """
      def names(o):
          found = []
          h5py.h5a.iterate(o.id, lambda n, *_: found.append(n.decode()), index_type=h5py.h5.INDEX_CRT_ORDER)
          return found
      """;

  @TempDir Path folder;

  private static List<String> names(H5Object object) {
    return object.attributes().stream().map(Attribute::name).toList();
  }

  private static List<Value> numbers(long... values) {
    List<Value> list = new ArrayList<>();
    for (long value : values) {
      list.add(new Value.Whole(BigInteger.valueOf(value)));
    }
    return list;
  }

  private static void clean(Path path) {
    List<Verification.Finding> findings = new ArrayList<>();
    var unused = Verification.of(path, findings::add);
    assertEquals(List.of(), findings, path.toString());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void attributes_are_listed_in_creation_order_in_the_header_and_in_a_heap(int ranks) {
    Path path = folder.resolve("order" + ranks + ".h5");
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.create(path, world)) {
            Group few = file.createGroup("/few", LinkOrder.TRACKED, AttributeOrder.TRACKED);
            DatasetSpec spec =
                DatasetSpec.of(Datatype.I8, Shape.of(3)).attributeOrder(AttributeOrder.TRACKED);
            H5Object many = file.createDataset("/many", spec);
            for (String name : List.of("z", "y", "a", "m")) {
              few.setAttribute(Attribute.of(name, 1));
            }
            few.setAttribute(Attribute.of("y", "another value"));
            few.deleteAttribute("a");
            few.renameAttribute("z", "b");
            few.setAttribute(Attribute.of("a", 2));
            for (int i = 0; i < 40; i++) {
              many.setAttribute(Attribute.of("n" + i * 7 % 40, i));
              if (i == 5 || i == 20) {
                file.flush();
              }
            }
            many.renameAttribute("n0", "first");
            many.deleteAttribute("n7");
            many.setAttribute(Attribute.of("n7", 70));
            assertEquals(List.of("b", "y", "m", "a"), names(few));
          }
        });
    List<String> expected = new ArrayList<>(List.of("first"));
    for (int i = 2; i < 40; i++) {
      expected.add("n" + i * 7 % 40);
    }
    expected.add("n7");
    try (H5File file = H5File.openForWriting(path, Communicator.self())) {
      assertEquals(List.of("b", "y", "m", "a"), names(file.group("/few")));
      assertEquals(expected, names(file.dataset("/many")));
      for (int i = 0; i < 36; i++) {
        file.dataset("/many").deleteAttribute(expected.remove(1));
      }
    }
    try (H5File file = H5File.open(path)) {
      assertEquals(expected, names(file.dataset("/many")));
    }
    clean(path);
    H5pyChecks.reads(
        folder,
        path,
        NAMES
            + """
            assert names(f['few']) == ['b', 'y', 'm', 'a'], names(f['few'])
            assert f['few'].id.get_create_plist().get_attr_creation_order() == 3
            assert f['few'].id.get_create_plist().get_link_creation_order() == 3
            assert f['many'].id.get_create_plist().get_attr_creation_order() == 3
            assert names(f['many']) == %s, names(f['many'])
            """
                .formatted("['" + String.join("', '", expected) + "']"));
  }

  @Test
  void files_of_h5py_with_tracked_order_keep_it_when_they_are_changed() {
    for (Oracle h5py : H5pyChecks.oracles()) {
      Path path = folder.resolve("theirs" + h5py.hdf5() + ".h5");
      h5py.run(
              folder,
              "-c",
              """
              import sys, h5py
              with h5py.File(sys.argv[1], 'w', libver='latest', track_order=True) as f:
                  g = f.create_group('g', track_order=True)
                  d = f.create_dataset('d', data=[1, 2], track_order=True)
                  for n in 'zyxa': g.attrs[n] = n
                  for i in range(30): d.attrs['d%d' % (i * 7 % 30)] = i
              """,
              path)
          .expectSuccess();
      try (H5File file = H5File.openForWriting(path, Communicator.self())) {
        Group group = file.group("/g");
        assertEquals(List.of("z", "y", "x", "a"), names(group));
        group.setAttribute(Attribute.of("k", 1));
        group.deleteAttribute("y");
        for (int i = 0; i < 12; i++) {
          group.setAttribute(Attribute.of("e" + (20 - i), i));
        }
        H5Object dataset = file.dataset("/d");
        dataset.setAttribute(Attribute.of("c", 5));
        dataset.deleteAttribute("d7");
      }
      clean(path);
      H5pyChecks.reads(
          folder,
          path,
          NAMES
              + """
              assert names(f['g']) == ['z', 'x', 'a', 'k'] + ['e%d' % (20 - i) for i in range(12)], names(f['g'])
              want = ['d%d' % (i * 7 % 30) for i in range(30)]; want.remove('d7')
              assert names(f['d']) == want + ['c'], names(f['d'])
              """);
      H5pyChecks.changes(
          h5py,
          folder,
          path,
          """
          for i in range(10): del f['g'].attrs['e%d' % (20 - i)]
          f['g'].attrs['by'] = 'h5py'; f['d'].attrs['by'] = 'h5py'
          """);
      try (H5File file = H5File.open(path)) {
        assertEquals(List.of("z", "x", "a", "k", "e10", "e9", "by"), names(file.group("/g")));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void a_committed_datatype_exists_as_long_as_a_link_or_attribute_uses_it(int ranks) {
    Path path = folder.resolve("typed" + ranks + ".h5");
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.create(path, world)) {
            NamedDatatype type = file.createDatatype("/types/count", Datatype.I32);
            NamedDatatype gone = file.createDatatype("/types/gone", Datatype.F64);
            Group group = file.createGroup("/g");
            group.setAttribute("one", type, Shape.of(2), numbers(1, 2));
            group.setAttribute("two", type, Shape.scalar(), numbers(3));
            group.setAttribute("two", type, Shape.scalar(), numbers(4));
            file.root().setAttribute("one", type, Shape.of(1), numbers(5));
            file.root()
                .setAttribute("real", gone, Shape.scalar(), List.of(new Value.Real(0.5, 53)));
            file.flush();
            group.deleteAttribute("one");
            file.root().setAttribute(Attribute.of("one", "no longer"));
            file.unlink("/types/gone");
            file.flush();
            assertEquals(0.5, file.root().attribute("real").orElseThrow().doubles()[0]);
            file.root().deleteAttribute("real");
            type.setAttribute(Attribute.of("unit", "photons"));
            type.setAttribute("self", type, Shape.scalar(), numbers(9));
            type.setAttribute(Attribute.of("wrong", 1));
            type.renameAttribute("wrong", "right");
            type.deleteAttribute("right");
            for (int i = 0; i < 12; i++) {
              group.setAttribute("more" + i, type, Shape.scalar(), numbers(i));
            }
            file.flush();
            for (int i = 0; i < 11; i++) {
              group.deleteAttribute("more" + i);
            }
            assertThrows(
                CollectiveException.class,
                () -> group.setAttribute("x", type, Shape.of(2), numbers(1)));
          }
        });
    clean(path);
    H5pyChecks.reads(
        folder,
        path,
        """
        t = f['types/count']
        assert h5py.h5o.get_info(t.id).rc == 4, h5py.h5o.get_info(t.id).rc
        g = f['g']
        assert sorted(g.attrs) == ['more11', 'two'] and g.attrs['two'] == 4 and g.attrs['more11'] == 11
        assert g.attrs.get_id('two').get_type().committed()
        assert not f.attrs.get_id('one').get_type().committed()
        assert sorted(f.attrs) == ['one'] and list(f['types']) == ['count']
        assert sorted(t.attrs) == ['self', 'unit'] and t.attrs['self'] == 9
        """);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void the_last_links_and_attributes_are_stored_in_the_header_again(int ranks) {
    Path path = folder.resolve("back" + ranks + ".h5");
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.create(path, world)) {
            Group group = file.createGroup("/g", LinkOrder.TRACKED);
            Group large = file.createGroup("/large");
            for (int i = 0; i < 100; i++) {
              file.createSoftLink("/g/s" + i, "/somewhere");
              group.setAttribute(Attribute.of("a" + i, i));
              large.setAttribute(Attribute.of("a" + i, i));
            }
            large.setAttribute(Attribute.of("large", new long[10_000]));
            file.flush();
            for (int i = 0; i < 96; i++) {
              file.unlink("/g/s" + i);
              group.deleteAttribute("a" + i);
              large.deleteAttribute("a" + i);
            }
            file.flush();
            assertEquals(4, group.links().size());
            assertEquals(4, group.attributes().size());
            file.createSoftLink("/g/new", "/x");
            file.unlink("/g/s97");
            group.setAttribute(Attribute.of("new", 1));
            group.deleteAttribute("a97");
          }
        });
    clean(path);
    H5pyChecks.reads(
        folder,
        path,
        """
        g = f['g']; names = []
        g.id.links.iterate(names.append, idx_type=h5py.h5.INDEX_CRT_ORDER)
        assert names == [b's96', b's98', b's99', b'new'], names
        assert sorted(g.attrs) == ['a96', 'a98', 'a99', 'new']
        assert len(f['large'].attrs) == 5 and f['large'].attrs['large'].shape == (10000,)
        """);
    SpaceReport space = Verification.of(path, _ -> {});
    assertEquals(0, space.bytes().getOrDefault(SpaceReport.Kind.LINKS, 0L));
    H5pyChecks.oracles().forEach(h5py -> deleteLarge(h5py, path));
    assertEquals(
        0, Verification.of(path, _ -> {}).bytes().getOrDefault(SpaceReport.Kind.ATTRIBUTES, 0L));
  }

  private void deleteLarge(Oracle h5py, Path path) {
    H5pyChecks.changes(
        h5py, folder, path, "f['large'].attrs.pop('large', None); f['g'].attrs['more'] = 3");
  }
}
