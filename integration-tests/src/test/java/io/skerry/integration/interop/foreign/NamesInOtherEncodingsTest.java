package io.skerry.integration.interop.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.mpi.Communicator;
import io.skerry.testkit.oracle.Oracle;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that rewriting an object header keeps names that are not UTF-8. */
class NamesInOtherEncodingsTest {
  private static final String MAKE =
      """
      import sys, h5py
      for many in (0, 20):
          for low in ('earliest', 'latest'):
              with h5py.File('%s-%d-%s.h5' % (sys.argv[1], many, low), 'w', libver=(low, 'latest')) as f:
                  f.create_dataset(b'caf\\xe9', (2,), 'i4', chunks=(1,), maxshape=(None,))
                  f['d'] = f[b'caf\\xe9']
                  f['g/x'] = 1
                  f[b'soft\\xe8'] = h5py.SoftLink('d')
                  f.id.links.create_soft(b'to', b'caf\\xe9')
                  f['d'].attrs[b'\\xb0C'] = 20
                  f.attrs[b'gr\\xfc\\xdfe'] = 1
                  for i in range(many):
                      f['d'].attrs['more%d' % i] = i
                      f['more%d' % i] = h5py.SoftLink('d')
      """;

  private static final String NAMES =
      """
      import sys, h5py
      for many in (0, 20):
          for low in ('earliest', 'latest'):
              with h5py.File('%s-%d-%s.h5' % (sys.argv[1], many, low), 'r') as f:
                  names = []
                  f.id.links.visit(names.append, info=False)
                  print(many, low, sorted(n for n in names if b'more' not in n))
                  print(sorted(h5py.h5a.open(f['d'].id, index=i).name for i in range(len(f['d'].attrs))
                               if b'more' not in h5py.h5a.open(f['d'].id, index=i).name))
                  print(sorted(h5py.h5a.open(f.id, index=i).name for i in range(len(f.attrs))))
                  print(f.id.links.get_val(b'to'), f['d'].shape)
      """;

  @TempDir Path folder;

  @Test
  void links_and_attributes_keep_their_names() {
    assumeFalse(Oracle.h5py().isEmpty(), "skipped: no Python with h5py");
    for (Oracle h5py : Oracle.h5py()) {
      Path base = folder.resolve(h5py.hdf5());
      var unused = h5py.run(folder, "-c", MAKE, base).expectSuccess();
      String before = h5py.run(folder, "-c", NAMES, base).expectSuccess().out();
      for (int many : new int[] {0, 20}) {
        for (String low : new String[] {"earliest", "latest"}) {
          change(folder.resolve(h5py.hdf5() + "-" + many + "-" + low + ".h5"));
        }
      }
      String after = h5py.run(folder, "-c", NAMES, base).expectSuccess().out();
      String expected = before.replace("(2,)", "(5,)").replaceAll("\\[(b'd', b'g)", "[$1").strip();
      assertEquals(expected.replace("[b'gr", "[b'added', b'gr"), after.strip());
    }
  }

  private static void change(Path path) {
    try (H5File file = H5File.openForWriting(path, Communicator.self())) {
      Dataset dataset = file.dataset("/caf\udce9");
      dataset.extendTo(5);
      dataset.setAttribute(Attribute.of("added", 1));
      dataset.deleteAttribute("added");
      file.root().setAttribute(Attribute.of("added", 1));
      file.createSoftLink("/more", "/d");
      assertEquals(5, file.dataset("/to").shape().extent(0));
    }
  }
}
