package io.skerry.format.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.format.Interpreter;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.message.SharedReference;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.format.superblock.TreeOrders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares the listings by this module and by h5py of files in the earliest versions and with
 * shared messages, written by HDF5.
 */
class EarlyFilesTest {
  static final String PRELUDE =
      """
      import ctypes, h5py, numpy as np, sys

      library = [line.split()[-1] for line in open('/proc/self/maps')
                 if 'libhdf5' in line and '_hl' not in line][0]
      hdf5 = ctypes.CDLL(library)
      folder = sys.argv[1] + '/'

      def fresh(name, low, *calls, userblock=0, sizes=None):
          fcpl = h5py.h5p.create(h5py.h5p.FILE_CREATE)
          fcpl.set_userblock(userblock)
          if sizes:
              fcpl.set_sizes(*sizes)
          for call, *arguments in calls:
              status = getattr(hdf5, call)(ctypes.c_int64(fcpl.id), *arguments)
              assert status >= 0, call
          fapl = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
          high = h5py.h5f.LIBVER_LATEST
          fapl.set_libver_bounds(h5py.h5f.LIBVER_EARLIEST if low == 'earliest' else high, high)
          path = (folder + name).encode()
          return h5py.File(h5py.h5f.create(path, h5py.h5f.ACC_TRUNC, fcpl=fcpl, fapl=fapl))

      def fill(f, links=30, growing=True):
          f.attrs['number'] = np.int32(5)
          f.attrs['text'] = np.bytes_(b'some text')
          f['committed'] = np.dtype([('x', '<f4'), ('y', '>i2', (3,))])
          g = f.create_group('many')
          for i in range(links):
              g.create_group('member %05d' % (i * 7919 % links))
          for i in range(3):
              g['soft %d' % i] = h5py.SoftLink('/many/member %05d' % i)
          g['other'] = h5py.ExternalLink('other.h5', '/far')
          d = f.create_dataset('typed', (3, 4), dtype=f['committed'])
          d.attrs.create('a', np.zeros((2,), f['committed'].dtype), dtype=f['committed'])
          for i in range(12):
              d.attrs['plain %d' % i] = np.arange(i + 1, dtype='<u2')
          if growing:
              f.create_dataset('plain', (7,), '<f8', maxshape=(None,), chunks=(2,), fillvalue=3.5)
          f.create_dataset('packed', (9, 9), '<i4', chunks=(3, 3), compression=2, shuffle=True)
          f['again'] = f['many']

      """;

  @TempDir Path directory;

  private Map<Path, List<String>> make(String body) throws IOException {
    assumeFalse(Interpreter.all().isEmpty(), "no Python with h5py");
    Path made = Files.createDirectory(directory.resolve("made"));
    Interpreter python = Interpreter.all().get(0);
    python.run(directory, PRELUDE + body, made);
    return Listing.byOracle(python, directory, made, Listing.Detail.VALUES);
  }

  private static void assertListed(Map<Path, List<String>> oracle) {
    assertFalse(oracle.isEmpty());
    oracle.forEach((path, lines) -> {
      assertTrue(lines.size() > 20, () -> path + ": " + lines);
      assertEquals(lines, Listing.of(path, Listing.Detail.VALUES), path.toString());
    });
  }

  @Test
  void earliest_files_with_user_blocks_and_other_widths_list_as_h5py_lists_them()
      throws IOException {
    Map<Path, List<String>> oracle =
        make(
            """
            for low in ('earliest', 'latest'):
                for block in (0, 512, 4096):
                    with fresh('block %s %d.h5' % (low, block), low, userblock=block) as f:
                        fill(f)
                for sizes in ((4, 4), (4, 8), (8, 4)):
                    with fresh('sizes %s %d %d.h5' % (low, *sizes), low, sizes=sizes) as f:
                        # HDF5 2.0.0 does not open its own extensible arrays of 4-byte widths.
                        fill(f, 10, low == 'earliest')
            """);
    assertEquals(12, oracle.size());
    assertListed(oracle);
  }

  @Test
  void deep_trees_of_groups_list_in_order_and_are_searched() throws IOException {
    Map<Path, List<String>> oracle =
        make(
            """
            for leaf, inner, links in ((1, 1, 300), (2, 2, 2500), (4, 16, 4000)):
                with fresh('deep %d.h5' % leaf, 'earliest',
                           ('H5Pset_sym_k', inner, leaf)) as f:
                    fill(f, links)
            """);
    assertEquals(3, oracle.size());
    assertListed(oracle);
  }

  @Test
  void node_sizes_of_trees_are_read_from_superblock_or_extension() throws IOException {
    Map<Path, List<String>> oracle =
        make(
            """
            for low in ('earliest', 'latest'):
                with fresh('orders %s.h5' % low, low, ('H5Pset_sym_k', 5, 6),
                           ('H5Pset_istore_k', 7)) as f:
                    fill(f)
            """);
    assertListed(oracle);
    for (Path path : oracle.keySet()) {
      FormatFile file = FormatFile.open(MemoryFile.load(path));
      assertEquals(new TreeOrders(6, 5, 7), file.orders());
    }
  }

  @Test
  void messages_shared_in_lists_and_trees_are_found() throws IOException {
    Map<Path, List<String>> oracle =
        make(
            """
            for low in ('earliest', 'latest'):
                for form, cut in (('list', 50), ('tree', 0)):
                    with fresh('pool %s %s.h5' % (low, form), low,
                               ('H5Pset_shared_mesg_nindexes', 2),
                               ('H5Pset_shared_mesg_index', 0, 0x1000, 1),
                               ('H5Pset_shared_mesg_index', 1, 0x082a, 1),
                               ('H5Pset_shared_mesg_phase_change', cut, cut)) as f:
                        fill(f)
                        for i in range(10):
                            d = f.create_dataset('twin %d' % i, (5,), [('q', '<i8'), ('r', '<f4')],
                                                 chunks=(5,), compression=3)
                            d.attrs['same'] = np.arange(20)
                            d.attrs['same text'] = np.bytes_(b'the same for all')
            """);
    assertEquals(4, oracle.size());
    assertListed(oracle);
    for (Path path : oracle.keySet()) {
      FormatFile file = FormatFile.open(MemoryFile.load(path));
      ObjectHeader twin = file.header(child(file, "twin 5"));
      assertTrue(
          twin.sharedReference(DatatypeMessage.class).orElseThrow()
              instanceof SharedReference.Pooled,
          path.toString());
    }
  }

  @Test
  void a_committed_datatype_is_identified_by_its_address() throws IOException {
    Map<Path, List<String>> oracle =
        make(
            """
            for low in ('earliest', 'latest'):
                with fresh('committed %s.h5' % low, low) as f:
                    fill(f)
            """);
    for (Path path : oracle.keySet()) {
      FormatFile file = FormatFile.open(MemoryFile.load(path));
      SharedReference committed = new SharedReference.Committed(child(file, "committed"));
      ObjectHeader typed = file.header(child(file, "typed"));
      assertEquals(committed, typed.sharedReference(DatatypeMessage.class).orElseThrow());
      AttributeMessage attribute =
          file.attributes(typed).stream()
              .filter(a -> a.name().equals("a"))
              .findFirst()
              .orElseThrow();
      assertEquals(committed, attribute.sharedType().orElseThrow());
      assertEquals(10, attribute.datatype().datatype().size());
      assertEquals(3, file.header(child(file, "committed")).references());
      assertEquals(2, file.header(child(file, "many")).references());
    }
  }

  private static long child(FormatFile file, String name) {
    return ((LinkTarget.Hard) file.link(file.root(), name).orElseThrow().target()).address();
  }
}
