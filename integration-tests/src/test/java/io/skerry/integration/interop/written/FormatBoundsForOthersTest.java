package io.skerry.integration.interop.written;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Attribute;
import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.LinkOrder;
import io.skerry.NamedDatatype;
import io.skerry.Verification;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.format.FormatBounds;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Creates files with each format bound, which h5py reads and changes and Skerry changes again. */
class FormatBoundsForOthersTest {
  private static final boolean THOROUGH = Boolean.getBoolean("skerry.thorough");

  /**
   * More than the 8 * 32 * 32 links that a B-tree of two levels above the nodes of a symbol table
   * holds at most.
   */
  private static final int LINKS = THOROUGH ? 12_000 : 9_000;

  @TempDir Path folder;

  private static void sound(Path path) {
    List<Verification.Finding> findings = new ArrayList<>();
    Verification.of(path, findings::add);
    assertEquals(List.of(), findings);
  }

  private static H5File create(Path path, Communicator world, FormatBounds bounds) {
    return H5File.create(path, world, FileOptions.standard().withBounds(bounds));
  }

  private static void write(Path path, Communicator world, FormatBounds bounds) {
    try (H5File file = create(path, world, bounds)) {
      file.root().setAttribute(Attribute.of("title", "one"));
      file.createDataset("/a/b/d", DatasetSpec.of(Datatype.I32, Shape.of(3)))
          .write(Selection.all(), new int[] {1, 2, 3});
      DatasetSpec grown =
          DatasetSpec.of(Datatype.F64, Shape.of(40, 50).unlimited(0).unlimited(1))
              .chunked(3, 7)
              .filters(Filters.shuffle(), Filters.deflate(3), Filters.fletcher32())
              .fillValue(new byte[] {0, 0, 0, 0, 0, 0, 0, 64});
      var wide = file.createDataset("/a/wide", grown);
      wide.extendTo(90, 60);
      double[] row = new double[60];
      Arrays.fill(row, world.rank());
      wide.write(Selection.at(world.rank() * 30L, 0).extent(1, 60), row);
      file.flush();
      for (int i = 0; i < 45; i++) {
        file.group("/a").setAttribute(Attribute.of("number " + i, new long[] {i, i + 1}));
      }
      NamedDatatype named = file.createDatatype("/types/pixel", Datatype.U16);
      file.createDataset("/typed", DatasetSpec.of(named, Shape.of(4)).compact());
      Group ordered = file.createGroup("/ordered", LinkOrder.TRACKED);
      for (String name : List.of("z", "a", "m")) {
        ordered.createGroup(name);
      }
      for (int i = 0; i < 20; i++) {
        file.createSoftLink("/mixed/s" + i, "/a");
      }
      file.createExternalLink("/mixed/far", "other.h5", "/x");
      file.createSoftLink("/named/größe", "/a");
      file.createDataset("/none", DatasetSpec.withoutElements(Datatype.F32));
      file.unlink("/mixed/s3");
    }
  }

  @ParameterizedTest
  @CsvSource({"EARLIEST,1", "EARLIEST,3", "V110,3", "V200,1", "V200,3"})
  void h5py_reads_and_changes_objects_of_all_kinds(FormatBounds bounds, int ranks) {
    Path path = folder.resolve(bounds + "" + ranks + ".h5");
    LocalRanks.run(ranks, world -> write(path, world, bounds));
    sound(path);
    H5pyChecks.reads(
        folder,
        path,
        bounds,
        "R = %d\n".formatted(ranks)
            + """
            assert f.attrs['title'] in ('one', b'one')
            same(f['a/b/d'][()], [1, 2, 3])
            w = f['a/wide']; assert w.shape == (90, 60) and w.maxshape == (None, None)
            for r in range(3): same(w[30 * r], np.full(60, r if r < R else 2.0))
            assert (w[1:30] == 2).all() and w.fillvalue == 2 and w.compression == 'gzip'
            assert len(f['a'].attrs) == 45
            for i in range(45): same(f['a'].attrs['number %d' % i], [i, i + 1])
            assert f['typed'].id.get_type().committed() and f['typed'].dtype == '<u2'
            names = []; o = f['ordered']
            o.id.links.iterate(names.append, idx_type=h5py.h5.INDEX_CRT_ORDER)
            assert names == [b'z', b'a', b'm'], names
            m = f['mixed']; assert len(m) == 20 and 's3' not in m
            assert m.get('far', getlink=True).filename == 'other.h5'
            assert m.get('s7', getlink=True).path == '/a'
            assert list(f['named']) == ['größe'] and f['named/größe/b/d'].shape == (3,)
            assert f['none'].shape is None
            """);
    for (Oracle h5py : H5pyChecks.oracles(bounds)) {
      H5pyChecks.changes(
          h5py,
          folder,
          path,
          """
          n = 'by' + h5py.version.hdf5_version
          f['a/b/d'][1] += 20; f['ordered'].create_group(n); f[n] = h5py.SoftLink('/a')
          f['a'].attrs[n] = 5; del f['a'].attrs['number 7']; f['a/wide'].resize((91, 61))
          f['a/wide'][90, 60] = 9; f['mixed/' + n] = f['a']; del f['mixed/s8']
          f.create_dataset('a/t' + n, data=[1, 2], dtype=f['types/pixel'])
          """);
      String name = "by" + h5py.hdf5();
      LocalRanks.run(
          ranks,
          world -> {
            try (H5File file = H5File.openForWriting(path, world)) {
              assertTrue(file.dataset("/a/b/d").readInts(Selection.all())[1] > 20);
              assertEquals(5, file.group("/a").attribute(name).orElseThrow().longs()[0]);
              assertArrayEquals(
                  new double[] {9},
                  file.dataset("/a/wide").readDoubles(Selection.at(90, 60).extent(1, 1)));
              file.unlink("/a/t" + name);
              file.move("/" + name, "/ordered/soft" + name);
              file.unlink("/mixed/" + name);
              file.createSoftLink("/mixed/s8", "/a");
              file.group("/a").deleteAttribute(name);
              file.group("/a").setAttribute(Attribute.of("number 7", new long[] {7, 8}));
              file.dataset("/a/wide").extendTo(90, 60);
            }
          });
      sound(path);
    }
    H5pyChecks.reads(
        folder,
        path,
        bounds,
        """
        assert len(f['a'].attrs) == 45 and len(f['mixed']) == 20 and len(f['a']) == 2
        assert f['a/wide'].shape == (90, 60); same(f['a'].attrs['number 7'], [7, 8])
        assert h5py.h5o.get_info(f['types/pixel'].id).rc == 2
        assert h5py.h5o.get_info(f['a'].id).rc == 1
        """);
  }

  static int[] rankNumbers() {
    return THOROUGH ? new int[] {1, 3} : new int[] {3};
  }

  @ParameterizedTest
  @MethodSource("rankNumbers")
  void h5py_reads_and_changes_groups_of_many_links(int ranks) {
    FormatBounds bounds = FormatBounds.EARLIEST;
    Path path = folder.resolve("many" + ranks + ".h5");
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = create(path, world, bounds)) {
            file.createDataset("/d", DatasetSpec.of(Datatype.I8, Shape.of(5)));
            for (int i = 0; i < LINKS; i++) {
              String name = "/many/n" + i * 7919L % LINKS;
              if (i % 2 == 0) {
                file.createSoftLink(name, "/d");
              } else {
                file.createHardLink(name, "/d");
              }
              if (i % 3000 == 2000) {
                file.flush();
              }
            }
            file.flush();
            for (int i = 0; i < LINKS; i += 3) {
              file.unlink("/many/n" + i);
            }
            file.move("/many/n1", "/many/moved");
            file.createGroup("/many/below/deep");
          }
        });
    sound(path);
    String links = "links = " + LINKS + "\n";
    String names =
        links
            + """
            n = sorted(['moved', 'below'] + ['n%d' % i for i in range(2, links) if i % 3])
            m = f['many']; assert list(m) == n, len(m)
            for i in (2, 4, 5, 7, links - 1): assert f['many/n%d' % i].shape == (5,)
            """;
    H5pyChecks.reads(folder, path, bounds, names);
    long kept = LINKS * 2 / 3;
    long removed = IntStream.range(2 * LINKS / 3, LINKS).filter(i -> i % 3 != 0).count();
    for (Oracle h5py : H5pyChecks.oracles(bounds)) {
      H5pyChecks.changes(
          h5py,
          folder,
          path,
          links
              + """
              m = f['many']
              for i in range(0, 3000, 3): m['n%d' % i] = f['d']
              for i in range(2 * links // 3, links): m.pop('n%d' % i, None) if i % 3 else None
              """);
      LocalRanks.run(
          ranks,
          world -> {
            try (H5File file = H5File.openForWriting(path, world)) {
              Group many = file.group("/many");
              assertEquals(kept + 1 + 1000 - removed, many.links().size());
              for (int i = 0; i < 3000; i += 3) {
                file.unlink("/many/n" + i);
              }
              file.flush();
              for (int i = 2 * LINKS / 3; i < LINKS; i++) {
                if (i % 3 != 0) {
                  file.createHardLink("/many/n" + i, "/d");
                }
              }
            }
          });
      sound(path);
    }
    H5pyChecks.reads(folder, path, bounds, names);
  }
}
