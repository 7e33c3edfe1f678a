package io.skerry.format.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.chunk.bytes.Lookup3;
import io.skerry.exception.FormatException;
import io.skerry.format.Interpreter;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.message.CacheImageMessage;
import io.skerry.format.message.group.LinkMessage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads files that the HDF5 library closed with a metadata cache image. */
class CacheImageTest {
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** h5py has no function for this property; the script calls the HDF5 library of h5py. */
  private static final String SCRIPT =
      """
      import ctypes, h5py, numpy, re, sys
      with open('/proc/self/maps') as maps:
          library = ctypes.CDLL(re.search(r'/\\S*libhdf5[-.][^/\\s]*', maps.read()).group())

      class Image(ctypes.Structure):
          _fields_ = [('version', ctypes.c_int), ('generate', ctypes.c_bool),
                      ('resize', ctypes.c_bool), ('ageout', ctypes.c_int)]

      access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
      access.set_libver_bounds(h5py.h5f.LIBVER_V110, h5py.h5f.LIBVER_V110)
      call = library.H5Pset_mdc_image_config
      call.argtypes = [ctypes.c_int64, ctypes.c_void_p]
      assert call(access.id, ctypes.byref(Image(1, True, False, -1))) >= 0
      create = h5py.h5p.create(h5py.h5p.FILE_CREATE)
      create.set_userblock(int(sys.argv[2]))
      handle = h5py.h5f.create(sys.argv[1].encode(), h5py.h5f.ACC_TRUNC, create, access)
      with h5py.File(handle) as file:
          for i in range(40):
              file.create_group(f'group {i}').attrs['text'] = 'x' * i
          file.create_dataset('grid', data=numpy.arange(600).reshape(20, 30), chunks=(3, 4),
                              maxshape=(None, None))
      """;

  @TempDir Path directory;

  private byte[] made(int userBlock) throws IOException {
    Optional<Interpreter> python =
        Interpreter.all().stream().filter(found -> !found.library().startsWith("1.10")).findAny();
    assumeTrue(python.isPresent(), "no Python with h5py on a newer HDF5");
    Path path = directory.resolve("image" + userBlock + ".h5");
    python.get().run(directory, SCRIPT, path, userBlock);
    return Files.readAllBytes(path);
  }

  private static CacheImageMessage image(FormatFile file) {
    return file.extension().orElseThrow().find(CacheImageMessage.class).orElseThrow();
  }

  @Test
  void blocks_stored_only_in_the_image_are_read_from_it() throws IOException {
    for (int userBlock : List.of(0, 1024)) {
      byte[] bytes = made(userBlock);
      FormatFile file = FormatFile.open(MemoryFile.of(bytes));
      assertTrue(image(file).length() > 0);
      List<LinkMessage> links = file.links(file.root());
      assertEquals(41, links.size());
      assertTrue(file.link(file.root(), "group 39").isPresent());
      long root = file.superblock().rootAddress() + userBlock;
      assertEquals(0, bytes[(int) root], "the root group was never written at its place");
    }
  }

  @Test
  void reads_across_the_edge_of_an_entry_combine_image_and_file() throws IOException {
    byte[] bytes = made(0);
    FormatFile file = FormatFile.open(MemoryFile.of(bytes));
    long root = file.superblock().rootAddress();
    MemorySegment around = file.source().read(root - 3, 10);
    assertEquals(MemorySegment.ofArray(bytes).asSlice(root - 3, 3).mismatch(around), 3);
    assertEquals('O', around.get(ValueLayout.JAVA_BYTE, 3));
    MemorySegment other = MemorySegment.ofArray(new byte[10]);
    file.source().read(root - 3, other);
    assertEquals(-1, other.mismatch(around));
    assertEquals('H', file.source().read(root + 1, 1).get(ValueLayout.JAVA_BYTE, 0));
  }

  @Test
  void a_damaged_image_is_refused_with_its_address() throws IOException {
    byte[] sound = made(0);
    CacheImageMessage image = image(FormatFile.open(MemoryFile.of(sound)));
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 300; i++) {
      byte[] damaged = sound.clone();
      int at = (int) image.address() + random.nextInt((int) image.length());
      damaged[at] ^= (byte) (1 << random.nextInt(8));
      FormatException refused =
          assertThrows(FormatException.class, () -> FormatFile.open(MemoryFile.of(damaged)));
      String where = "address=0x" + Long.toHexString(image.address());
      assertTrue(refused.getMessage().contains(where), refused.getMessage());
    }
  }

  @Test
  void a_damaged_image_with_a_valid_checksum_is_read_or_refused() throws IOException {
    byte[] sound = made(0);
    CacheImageMessage image = image(FormatFile.open(MemoryFile.of(sound)));
    SplittableRandom random = new SplittableRandom(4);
    int refused = 0;
    for (int i = 0; i < 1000; i++) {
      byte[] damaged = sound.clone();
      int at = (int) image.address() + random.nextInt((int) image.length() - 4);
      damaged[at] ^= (byte) (1 << random.nextInt(8));
      MemorySegment block = MemorySegment.ofArray(damaged).asSlice(image.address(), image.length());
      block.set(U32, image.length() - 4, Lookup3.checksum(block.asSlice(0, image.length() - 4)));
      try {
        FormatFile file = FormatFile.open(MemoryFile.of(damaged));
        file.links(file.root()).forEach(link -> assertTrue(link.name().length() < 100));
      } catch (FormatException expected) {
        refused++;
      }
    }
    assertTrue(refused > 20, "refused: " + refused);
  }
}
