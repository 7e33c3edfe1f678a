package io.skerry.integration.interop.written;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.LinkOrder;
import io.skerry.NamedDatatype;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Creates, moves and removes links on several ranks, and tests the reuse of the freed space. */
class LinksForOthersTest {
  /** {@code -Pslow} and {@code -Pstress} increase this number. */
  private static final int REWRITES = Integer.getInteger("skerry.rewrites", 12);

  @TempDir Path folder;

  private static void edit(H5File file) {
    file.createDataset("/a/b/d", DatasetSpec.of(Datatype.I32, Shape.of(3)))
        .write(Selection.all(), new int[] {1, 2, 3});
    file.createHardLink("/again", "/a/b/d");
    file.createHardLink("/a/third", "/again");
    file.createSoftLink("/soft", "/a/b");
    file.createExternalLink("/ext", "other.h5", "/x");
    file.unlink("/a/b/d");
    file.move("/a/b", "/moved/deep/b");
    file.move("/ext", "/a/ext");
    file.createDataset("/gone/x/y", DatasetSpec.of(Datatype.I32, Shape.of(40)).chunked(7))
        .write(Selection.all(), new int[40]);
    file.flush();
    file.unlink("/gone");
    Group ordered = file.createGroup("/ordered", LinkOrder.TRACKED);
    for (String name : List.of("z", "a", "m")) {
      ordered.createGroup(name);
    }
    file.unlink("/ordered/a");
    ordered.createGroup("b");
    NamedDatatype named = file.createDatatype("/types/pixel", Datatype.U16);
    file.createDataset("/typed", DatasetSpec.of(named, Shape.of(4)))
        .write(Selection.all(), new short[] {9, 8, 7, 6});
    file.createDataset("/typed2", DatasetSpec.of(named, Shape.of(4)));
    file.unlink("/typed2");
    Group root = file.root();
    root.setAttribute(Attribute.of("one", 1));
    root.setAttribute(Attribute.of("two", "a text"));
    root.setAttribute(Attribute.of("three", new long[] {1, 2, 3}));
    root.setAttribute(Attribute.of("two", new double[] {0.5, 1.5}));
    root.deleteAttribute("one");
    root.renameAttribute("three", "drei");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void h5py_reads_links_types_and_attributes(int ranks) {
    Path path = folder.resolve("links" + ranks + ".h5");
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.create(path, world)) {
            edit(file);
          }
        });
    H5pyChecks.reads(
        folder,
        path,
        """
        same(f['again'][()], [1, 2, 3]); assert f['again'] == f['a/third']
        assert h5py.h5o.get_info(f['again'].id).rc == 2
        assert sorted(f['a']) == ['ext', 'third'] and list(f['moved/deep/b']) == []
        assert isinstance(f.get('soft', getlink=True), h5py.SoftLink)
        assert f.get('a/ext', getlink=True).filename == 'other.h5'
        assert 'gone' not in f
        o = f['ordered']
        assert o.id.get_create_plist().get_link_creation_order() == 3
        names = []
        o.id.links.iterate(names.append, idx_type=h5py.h5.INDEX_CRT_ORDER)
        assert names == [b'z', b'm', b'b'], names
        assert f['typed'].id.get_type().committed() and f['typed'].dtype == '<u2'
        assert isinstance(f['types/pixel'], h5py.Datatype)
        assert h5py.h5o.get_info(f['types/pixel'].id).rc == 2
        same(f['typed'][()], [9, 8, 7, 6])
        assert sorted(f.attrs) == ['drei', 'two'] and len(f.attrs) == 2
        same(f.attrs['two'], [0.5, 1.5]); same(f.attrs['drei'], [1, 2, 3])
        """);
    for (Oracle h5py : H5pyChecks.oracles()) {
      H5pyChecks.changes(
          h5py,
          folder,
          path,
          """
          n = 'by' + h5py.version.hdf5_version
          f['again'][1] += 20; f['ordered'].create_group(n); del f['a/third']
          f['a/third'] = f['again']; f[n] = h5py.SoftLink('/again'); f.attrs[n] = 5
          f.create_dataset('t' + n, data=[1, 2], dtype=f['types/pixel'])
          """);
      try (H5File file = H5File.openForWriting(path, Communicator.self())) {
        String name = "by" + h5py.hdf5();
        assertTrue(file.dataset("/" + name).readInts(Selection.all())[1] > 20);
        assertEquals(5, file.root().attribute(name).orElseThrow().longs()[0]);
        assertArrayEquals(
            new short[] {1, 2}, file.dataset("/t" + name).readShorts(Selection.all()));
        file.unlink("/t" + name);
        file.root().deleteAttribute(name);
        file.move("/" + name, "/ordered/soft" + name);
      }
    }
    H5pyChecks.reads(
        folder,
        path,
        "same(f['again'][()], [1, 2 + 20 * "
            + H5pyChecks.oracles().size()
            + ", 3]); assert len(f['ordered']) == 3 + 2 * "
            + H5pyChecks.oracles().size()
            + "; assert h5py.h5o.get_info(f['types/pixel'].id).rc == 2");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void many_links_and_attributes_are_stored_densely_and_can_be_removed(int ranks) {
    Path path = folder.resolve("many" + ranks + ".h5");
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.create(path, world)) {
            Group plain = file.createGroup("/plain");
            Group ordered = file.createGroup("/ordered", LinkOrder.TRACKED);
            for (int i = 0; i < 300; i++) {
              plain.createGroup("g" + i);
              file.createSoftLink("/ordered/s" + (i * 7 % 300), "/plain/g" + i);
              plain.setAttribute(Attribute.of("a" + i % 100, i));
              if (i == 5 || i == 9 || i == 150) {
                file.flush();
              }
            }
            for (int i = 0; i < 300; i += 3) {
              file.unlink("/plain/g" + i);
            }
            file.flush();
            for (int i = 0; i < 50; i++) {
              plain.deleteAttribute("a" + i);
              file.unlink("/ordered/s" + i);
            }
            plain.renameAttribute("a99", "last");
            file.move("/plain/g1", "/plain/moved");
            long[] large = new long[20_000];
            Arrays.setAll(large, i -> i);
            Dataset d = file.createDataset("/d", DatasetSpec.of(Datatype.I8, Shape.of(1)));
            d.setAttribute(Attribute.of("small", 1));
            d.setAttribute(Attribute.of("large", large));
            d.setAttribute(Attribute.of("edge", new long[8180]));
            d.setAttribute(Attribute.empty("none", Datatype.I32));
            Group gone = file.createGroup("/gone");
            for (int i = 0; i < 30; i++) {
              gone.createGroup("x" + i);
            }
            file.flush();
            file.unlink("/gone");
            assertEquals(200, file.group("/plain").links().size());
            assertEquals(50, file.group("/plain").attributes().size());
            assertEquals(20_000, d.attribute("large").orElseThrow().longs().length);
          }
        });
    H5pyChecks.reads(
        folder,
        path,
        """
        p = f['plain']
        assert sorted(p) == sorted(['moved'] + ['g%d' % i for i in range(300) if i % 3 and i != 1])
        assert sorted(p.attrs) == sorted(['last'] + ['a%d' % i for i in range(50, 99)])
        assert all(p.attrs['a%d' % i] == 200 + i for i in range(50, 99)) and p.attrs['last'] == 299
        names = []; o = f['ordered']
        o.id.links.iterate(names.append, idx_type=h5py.h5.INDEX_CRT_ORDER)
        assert names == [b's%d' % (i * 7 % 300) for i in range(300) if i * 7 % 300 >= 50]
        a = f['d'].attrs
        same(a['large'], np.arange(20000)); assert a['edge'].shape == (8180,)
        assert isinstance(a['none'], h5py.Empty) and a['small'] == 1
        """);
    for (Oracle h5py : H5pyChecks.oracles()) {
      H5pyChecks.changes(
          h5py,
          folder,
          path,
          """
          for i in range(100): f['plain'].create_group('h%d' % i)
          for i in range(2, 60, 3): del f['plain']['g%d' % i]
          f['plain'].attrs['a70'] = 'changed'; f['d'].attrs['large'] = np.arange(9)
          """);
      try (H5File file = H5File.openForWriting(path, Communicator.self())) {
        assertEquals(200 + 100 - 20, file.group("/plain").links().size());
        Group plain = file.group("/plain");
        assertEquals(9, file.dataset("/d").attribute("large").orElseThrow().longs().length);
        for (int i = 0; i < 100; i++) {
          file.unlink("/plain/h" + i);
        }
        for (int i = 2; i < 60; i += 3) {
          plain.createGroup("g" + i);
        }
        plain.setAttribute(Attribute.of("a70", 270));
      }
    }
    H5pyChecks.reads(
        folder, path, "assert len(f['plain']) == 200 and f['plain'].attrs['a70'] == 270");
  }

  @Test
  void impossible_links_moves_and_removals_are_refused_and_change_nothing() {
    Path path = folder.resolve("refused.h5");
    LocalRanks.run(
        2,
        world -> {
          try (H5File file = H5File.create(path, world)) {
            file.createGroup("/a/b");
            file.createHardLink("/again", "/a");
            List<Runnable> wrong =
                List.of(
                    () -> file.unlink("/nothing"),
                    () -> file.unlink("/"),
                    () -> file.move("/a", "/a/b/c"),
                    () -> file.move("/a", "/a"),
                    () -> file.move("/a/", "/a/b/c"),
                    () -> file.move("/a", "//a/b/c"),
                    () -> file.move("/a", "/./a/b/c"),
                    () -> file.move("/a", "/again/b/c"),
                    () -> file.move("/nothing", "/b"),
                    () -> file.createHardLink("/a/b", "/a"),
                    () -> file.createHardLink("/x", "/nothing"),
                    () -> file.createDatatype("/a", Datatype.I32),
                    () -> file.root().deleteAttribute("none"),
                    () -> file.unlink(world.rank() == 0 ? "/a" : "/a/b"));
            for (Runnable call : wrong) {
              assertThrows(CollectiveException.class, call::run);
            }
            assertEquals(2, file.root().links().size());
            assertEquals(1, file.group("/a").links().size());
          }
        });
  }

  static int[] rankNumbers() {
    return Boolean.getBoolean("skerry.thorough") ? new int[] {1, 2, 3, 7} : new int[] {1, 7};
  }

  @ParameterizedTest
  @MethodSource("rankNumbers")
  void rewriting_a_dataset_takes_no_more_space_after_the_third_time(int ranks) {
    for (String way : List.of("delete", "overwrite", "contiguous")) {
      Path path = folder.resolve(way + ranks + ".h5");
      List<Long> sizes = new ArrayList<>();
      long[] live = new long[1];
      LocalRanks.run(
          ranks,
          world -> {
            try (H5File file = H5File.create(path, world)) {
              DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(ranks * 20L, 1000));
              DatasetSpec chunked =
                  spec.chunked(4, 500).filters(Filters.shuffle(), Filters.deflate(1));
              Dataset d = file.createDataset("/d", way.equals("contiguous") ? spec : chunked);
              for (int round = 0; round < REWRITES; round++) {
                if (round > 0 && !way.equals("overwrite")) {
                  file.unlink("/d");
                  d = file.createDataset("/d", way.equals("contiguous") ? spec : chunked);
                }
                Random random = new Random(round * 10L + world.rank());
                int[] values = new int[20_000];
                Arrays.setAll(values, i -> random.nextInt(1 << 20));
                d.write(Selection.at(world.rank() * 20L, 0).extent(20, 1000), values);
                file.flush();
                if (world.rank() == 0) {
                  sizes.add(file.size());
                  live[0] = d.usage().bytes();
                } else {
                  long unused = d.usage().bytes();
                }
              }
            }
          });
      long most = sizes.stream().mapToLong(Long::longValue).max().orElseThrow();
      System.out.println(
          way
              + " on "
              + ranks
              + ": live "
              + live[0]
              + " sizes "
              + sizes.subList(0, 6)
              + " at last "
              + sizes.getLast());
      assertTrue(most <= 3 * live[0] + 4096, way + " live " + live[0] + " sizes " + sizes);
      assertEquals(sizes.get(2), most, way + " sizes " + sizes);
      H5pyChecks.reads(folder, path, "assert f['d'][()].max() < 1 << 20 and f['d'][()].min() >= 0");
    }
  }
}
