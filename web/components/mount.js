// Mounts components at the places that the server has left for them.
import { Component, h, render } from 'preact';
import { parts } from './parts.js';

const broken = () => h('p', { class: 'empty', role: 'alert' }, 'This part of the page does not work right now.');

// What a component throws stays within its place.
class Place extends Component {
  static getDerivedStateFromError() { return { failed: true }; }
  componentDidCatch(error) { console.error(`The component ${this.props.name} failed.`, error); }
  render() { return this.state.failed ? broken() : this.props.children; }
}

const mounted = new Set();

async function mount(place) {
  const { component: name, props } = place.dataset;
  mounted.add(place);
  try {
    const { default: Part } = await parts.get(name)();
    if (!mounted.has(place)) return;
    place.replaceChildren();
    render(h(Place, { name }, h(Part, JSON.parse(props))), place);
  } catch (error) {
    console.error(`The component ${name} was not loaded.`, error);
    render(broken(), place);
  }
}

// Places come and go where another script brings a part of the page up to date.
function look() {
  for (const place of mounted) {
    if (place.isConnected) continue;
    mounted.delete(place);
    render(null, place);
  }
  for (const place of document.querySelectorAll('[data-component]')) if (!mounted.has(place)) void mount(place);
}

look();
new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
