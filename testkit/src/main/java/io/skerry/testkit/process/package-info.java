/** Programs in JVMs of their own. */
package io.skerry.testkit.process;
