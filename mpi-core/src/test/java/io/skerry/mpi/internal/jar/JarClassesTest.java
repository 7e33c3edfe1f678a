package io.skerry.mpi.internal.jar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import java.lang.constant.ConstantDescs;
import org.junit.jupiter.api.Test;

class JarClassesTest {
  @Test
  void a_class_whose_initializer_fails_is_reported_with_the_reason() {
    var loader =
        new FailingClass("mpi.MPI", "<clinit>", ConstantDescs.MTD_void, "no library mpi_java");
    var classes = new JarClasses(loader, "Open MPI's Java bindings");
    MpiException failure = assertThrows(MpiException.class, () -> classes.named("mpi.MPI"));
    assertEquals(MpiErrorClass.LIBRARY, failure.errorClass());
    assertTrue(failure.text().contains("no library mpi_java"), failure.text());
  }

  @Test
  void a_class_that_is_missing_is_reported_by_its_name() {
    var classes = new JarClasses(JarClassesTest.class.getClassLoader(), "the jar");
    MpiException failure = assertThrows(MpiException.class, () -> classes.named("mpi.Missing"));
    assertEquals("the jar lacks class mpi.Missing: is it another version?", failure.text());
  }
}
