package io.skerry.integration.interop.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.Attribute;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.Verification;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filters;
import io.skerry.integration.SharedData;
import io.skerry.integration.interop.written.H5pyChecks;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import io.skerry.testkit.oracle.ProcessResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that ranks change files with superblock 0 or 1 of other writers and keep the content. */
class EarlyFilesChangedTest {
  /** One of this many files of the HDF5 library is changed; with {@code -Pslow}, each of them. */
  private static final int STEP = Integer.getInteger("skerry.early.step", 5);

  /** True (with {@code -Pslow}) to create files of all forms with each h5py. */
  private static final boolean EACH_PAIR = Boolean.getBoolean("skerry.each.h5py");

  /** Sizes of addresses, orders of the B-trees of groups and of chunks, size of the user block. */
  private static final List<String> FORMS =
      List.of(
          "8 16 4 32 0",
          "8 2 1 32 512",
          "4 16 4 32 0",
          "4 1 1 1 1024",
          "8 3 2 2 2048",
          "2 2 2 2 0",
          "8 16 4 5 0");

  /** Files of the HDF5 library that are damaged, incomplete, or stored in several files. */
  private static final Set<String> NOT_CHANGEABLE =
      Set.of(
          "3790_infinite_loop.h5",
          "bad_offset.h5",
          "corrupt_stab_msg.h5",
          "multi_file_v16-s.h5",
          "test_subfiling_precreate_rank_0.h5",
          "tfamily00000.h5",
          "tmulti-s.h5",
          "tsplit_file-m.h5");

  private static final int VERSION_AT = 8;

  @TempDir Path folder;

  /** Adds an attribute, a group, a dataset, and enough links to split every node. Collective. */
  private static void add(Path path, Communicator world) {
    try (H5File file = H5File.openForWriting(path, world)) {
      file.root().setAttribute(Attribute.of("skerry added", 77));
      file.createGroup("/skerry group/sub");
      file.createDataset(
              "/skerry data",
              DatasetSpec.of(Datatype.I32, Shape.of(9).unlimited(0))
                  .chunked(2)
                  .filters(Filters.deflate(2)))
          .write(
              world.rank() == 0 ? Selection.all() : Selection.none(),
              world.rank() == 0 ? new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9} : new int[0]);
      file.flush();
      for (int i = 0; i < 30; i++) {
        file.createHardLink("/skerry group/" + i, "/skerry data");
      }
      file.dataset("/skerry data").extendTo(12);
    }
  }

  private static final String MAKE =
      """
      import ctypes, os, sys, h5py, numpy as np
      path, sizes, sym_ik, sym_lk, istore, block = sys.argv[1], *map(int, sys.argv[2:])
      p = h5py.h5p.create(h5py.h5p.FILE_CREATE)
      p.set_sizes(sizes, sizes)
      maps = [line.split()[-1] for line in open('/proc/self/maps')]
      lib = ctypes.CDLL(next(m for m in maps if 'libhdf5' in os.path.basename(m)
                             and '_hl' not in m and '_cpp' not in m))
      lib.H5Pset_sym_k.argtypes = [ctypes.c_int64, ctypes.c_uint, ctypes.c_uint]
      lib.H5Pset_istore_k.argtypes = [ctypes.c_int64, ctypes.c_uint]
      assert lib.H5Pset_sym_k(p.id, sym_ik, sym_lk) >= 0
      assert istore == 32 or lib.H5Pset_istore_k(p.id, istore) >= 0
      p.set_userblock(block)
      a = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
      a.set_libver_bounds(h5py.h5f.LIBVER_EARLIEST, h5py.h5f.LIBVER_V18)
      f = h5py.File(h5py.h5f.create(path.encode(), h5py.h5f.ACC_TRUNC, p, a))
      for i in range(60):
          g = f.create_group('g%d' % i); g.attrs['i'] = i
          f['soft%d' % i] = h5py.SoftLink('/g%d' % i)
      d = f.create_dataset('data', data=np.arange(300, dtype='<i2').reshape(15, 20),
                           chunks=(2, 3), maxshape=(None, 40), compression='gzip')
      f['text'] = ['a', 'bc']
      f.close()
      if block:
          with open(path, 'r+b') as raw: raw.write(b'user block')
      """;

  private static final String THERE =
      """
      assert len(f) == 124, len(f)
      for i in range(60):
          assert f['soft%d' % i].attrs['i'] == i and f.get('soft%d' % i, getlink=True).path == '/g%d' % i
      assert [x.decode() if isinstance(x, bytes) else x for x in f['text'][()]] == ['a', 'bc']
      assert f.attrs['skerry added'] == 77 and len(f['skerry group']) == 31
      assert f['skerry group/7'].shape == (12,)
      same(f['skerry data'][:], list(range(1, 10)) + [0, 0, 0])
      """;

  @Test
  void widths_orders_and_user_blocks_of_a_file_are_kept() throws IOException {
    List<Oracle> all = H5pyChecks.oracles();
    for (Oracle h5py : all) {
      for (int i = 0; i < FORMS.size(); i++) {
        if (!EACH_PAIR && i % all.size() != all.indexOf(h5py)) {
          continue;
        }
        String form = FORMS.get(i);
        // Each h5py has forms for one rank and for three.
        int ranks = i / all.size() % 2 == 0 ? 1 : 3;
        Path path = folder.resolve(h5py.hdf5() + " " + form + " " + ranks + ".h5");
        List<Object> line = new ArrayList<>(List.of("-c", MAKE, path));
        line.addAll(List.of(form.split(" ")));
        h5py.run(folder, line.toArray()).expectSuccess();
        check(h5py, path, form, ranks);
      }
    }
  }

  private void check(Oracle h5py, Path path, String form, int ranks) throws IOException {
    int block = Integer.parseInt(form.substring(form.lastIndexOf(' ') + 1));
    byte version = Files.readAllBytes(path)[block + VERSION_AT];
    boolean odd = !form.split(" ")[3].equals("32");
    assertEquals(odd ? 1 : 0, version, form);
    LocalRanks.run(
        ranks,
        world -> {
          add(path, world);
          try (H5File file = H5File.openForWriting(path, world)) {
            file.dataset("/data").extendTo(25, 33);
            for (int i = 0; i < 60; i += 4) {
              file.unlink("/g" + i);
              file.createGroup("/g" + i).setAttribute(Attribute.of("i", i));
            }
          }
        });
    String there =
        THERE
            + "assert f['data'].shape == (25, 33)\nassert f['data'][14, 19] == 299 and f['data'][24, 32] == 0";
    clean(path);
    H5pyChecks.reads(folder, path, there);
    byte[] bytes = Files.readAllBytes(path);
    assertEquals(version, bytes[block + VERSION_AT], form);
    assertTrue(
        block == 0 || new String(bytes, 0, 10, StandardCharsets.US_ASCII).equals("user block"),
        form);
    H5pyChecks.changes(
        h5py,
        folder,
        path,
        // Two-byte addresses end at 64 KiB, and HDF5 does not check for an overflow.
        "n = %d\n".formatted(form.startsWith("2") ? 5 : 200)
            + """
            for i in range(n): f['more%d' % i] = h5py.SoftLink('/data')
            f['data'].resize((40, 40)); f['data'][39, 39] = 5
            for i in range(n): del f['more%d' % i]
            """);
    try (H5File file = H5File.openForWriting(path, Communicator.self())) {
      assertEquals(5, file.dataset("/data").readInts(Selection.at(39, 39).extent(1, 1))[0]);
      assertEquals(124, file.root().links().size());
      file.dataset("/data").extendTo(25, 33);
    }
    clean(path);
    H5pyChecks.reads(folder, path, there);
  }

  private static void clean(Path path) {
    List<Verification.Finding> findings = new ArrayList<>();
    Verification.of(path, findings::add);
    assertEquals(List.of(), findings, path.toString());
  }

  private static int findings(Path path) {
    List<Verification.Finding> findings = new ArrayList<>();
    try {
      Verification.of(path, findings::add);
    } catch (FormatException | UnsupportedFeatureException e) {
      return 0;
    }
    return findings.size();
  }

  private static final String COMPARE =
      """
      import json, sys
      files = objects = 0
      for number in range(int(sys.argv[1])):
          old = json.load(open('old/%d.json' % number)); new = json.load(open('new/%d.json' % number))
          if 'error' in old: continue
          assert 'error' not in new, (old['file'], new)
          seen = {o['path']: o for o in new['objects']}
          assert seen['/skerry data']['shape'] == [12] and 'sha256' in seen['/skerry data'], old['file']
          added = [a for a in seen['/']['attributes'] if a['name'] == 'skerry added']
          assert len(added) == 1, old['file']
          seen['/']['attributes'].remove(added[0])
          for o in old['objects']:
              assert seen[o['path']] == o, (old['file'], o, seen[o['path']])
              objects += 1
          files += 1
      print(files, objects)
      """;

  @Test
  void content_of_files_of_the_hdf5_library_is_kept_when_objects_are_added() throws IOException {
    Path corpus = SharedData.require("hdf5-corpus");
    Optional<Oracle> h5py = Oracle.h5py("2.0.0");
    assumeTrue(h5py.isPresent(), "skipped: no Python with h5py on HDF5 2.0.0");
    List<Path> old = new ArrayList<>();
    List<Path> changed = new ArrayList<>();
    List<String> refused = new ArrayList<>();
    // Virtual datasets and external links need the other files in the same folder.
    Path copies = copied(corpus);
    try (Stream<Path> all = Files.walk(corpus)) {
      List<Path> early = all.filter(EarlyFilesChangedTest::isEarly).sorted().toList();
      for (int i = 0; i < early.size(); i += STEP) {
        Path file = early.get(i);
        Path copy = copies.resolve(corpus.relativize(file));
        int before = findings(copy);
        try {
          LocalRanks.run(1 + changed.size() % 3, world -> add(copy, world));
        } catch (FormatException | UnsupportedFeatureException | CollectiveException e) {
          refused.add(file.getFileName() + ": " + e.getMessage());
          assertTrue(NOT_CHANGEABLE.contains(file.getFileName().toString()), refused.getLast());
          continue;
        }
        assertTrue(findings(copy) <= before, file.toString());
        old.add(file);
        changed.add(copy);
      }
    }
    digest(h5py.get(), "old", old);
    digest(h5py.get(), "new", changed);
    ProcessResult ran = h5py.get().run(folder, "-c", COMPARE, old.size()).expectSuccess();
    System.out.println(
        "changed " + old.size() + " files, h5py compared files and objects: " + ran.out().strip());
    refused.forEach(System.out::println);
    assertTrue(old.size() * STEP > 180, "changed=" + old.size() + refused);
  }

  private Path copied(Path corpus) throws IOException {
    Path copies = folder.resolve("copies");
    try (Stream<Path> all = Files.walk(corpus)) {
      for (Path from : all.toList()) {
        Files.copy(from, copies.resolve(corpus.relativize(from)));
      }
    }
    return copies;
  }

  private void digest(Oracle h5py, String to, List<Path> files) throws IOException {
    List<Object> line = new ArrayList<>(List.of(Files.createDirectory(folder.resolve(to))));
    line.addAll(files);
    h5py.script(folder, "digest_files.py", line.toArray()).expectSuccess();
  }

  /** Returns whether a file has a superblock of version 0 or 1, possibly after a user block. */
  private static boolean isEarly(Path file) {
    byte[] signature = {(byte) 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    try {
      byte[] bytes = Files.isRegularFile(file) ? Files.readAllBytes(file) : new byte[0];
      for (int at = 0; at + VERSION_AT < bytes.length; at = at == 0 ? 512 : 2 * at) {
        if (Arrays.equals(bytes, at, at + 8, signature, 0, 8)) {
          return bytes[at + VERSION_AT] < 2;
        }
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
