// Flows of the clinic by keyboard alone, with JavaScript on and off.
import test, { after, before } from 'node:test';
import { modes, openAs } from './keys.mjs';
import { end, worldsOf } from './samples.mjs';

let worlds = {}, clinic;
before(async () => {
  worlds = await worldsOf(['clinic']);
  ({ clinic } = worlds);
});
after(() => end(worlds));
const rowOf = (entity) => new RegExp(`/${entity}/[0-9a-f-]{36}`);

for (const [script, how] of modes) {
  const open = (who, path) => openAs(clinic, who, path, script);
  const name = (word) => `${word} ${script ? 'with' : 'without'}`;

  test(`a manager begins an organisation, goes back, and keeps rooms and treatments, ${how}`, async () => {
    const keys = await open('manager', '/account');
    await keys.type('New organisation', name('Practice'));
    await keys.go('Create', keys.shows('You work for another organisation now.'), 'button');
    await keys.page.goto(`${clinic.browser.origin}/account`);
    await keys.go('Work for it', keys.shows('You work for another organisation now.'));
    await keys.page.goto(`${clinic.browser.origin}/room`);
    await keys.go('New room', keys.at(/\/room\/new/));
    await keys.type('Name', name('Room'));
    await keys.type('Floor', 'up');
    await keys.go('Create room', keys.shows('Write a whole number.'));
    await keys.type('Floor', '2');
    await keys.type('Equipment', 'chair, lamp');
    await keys.go('Create room', keys.at(rowOf('room')));
    await keys.go('Edit', keys.at(/\/edit$/));
    await keys.to('Bookable', 'input');
    await keys.press('Space');
    await keys.go('Save changes', keys.shows('Your changes are saved.'));
    await keys.go('Delete', keys.shows('This cannot be undone.'), 'a');
    await keys.go('Delete', keys.shows('Deleted.'), 'button');
    await keys.page.goto(`${clinic.browser.origin}/treatment/new`);
    await keys.type('Code', script ? 'massage' : 'bath');
    await keys.type('Title', name('Massage'));
    await keys.type('Price', '60');
    await keys.go('Create treatment', keys.at(rowOf('treatment')));
  });

  test(`a receptionist takes in a patient, who comes and is treated, ${how}`, async () => {
    const keys = await open('receptionist', '/patient/new');
    await keys.type('Name', name('Pia'));
    await keys.moment('Born', '06051980');
    await keys.type('Email', script ? 'pia.with@clinic.test' : 'pia.without@clinic.test');
    await keys.type('Insurance number', '12345678');
    await keys.go('Create patient', keys.shows('A number of insurance needs its insurer.'));
    await keys.choose('Insurer', 'Mutuelle');
    await keys.go('Create patient', keys.at(rowOf('patient')));
    await keys.go('New appointment', keys.at(/\/appointment\/new/));
    await keys.choose('Doctor', 'Dr.');
    await keys.choose('Treatment', 'Check');
    await keys.moment('Starts', '04032031', script ? '1030' : '1130');
    await keys.go('Create appointment', keys.at(rowOf('appointment')));
    const appointment = keys.page.url().replace(/\?.*/, '');
    await keys.go('Confirm', keys.shows('Choose a room first.'));
    await keys.go('Edit', keys.at(/\/edit$/));
    await keys.choose('Room', 'Room');
    await keys.go('Save changes', keys.shows('Your changes are saved.'));
    await keys.go('Confirm', keys.state('Confirmed'));
    await keys.go('Arrive', keys.state('Arrived'));

    const doctor = await open('practitioner', new URL(appointment).pathname);
    await doctor.go('Finish', doctor.shows('Write a note of the visit first.'));
    await doctor.go('New note of a visit', doctor.at(/\/visit_note\/new/));
    await doctor.type('Finding', 'All is well.');
    await doctor.go('Create note of a visit', doctor.at(rowOf('visit_note')));
    await doctor.page.goto(appointment);
    await doctor.go('New prescription', doctor.at(/\/prescription\/new/));
    await doctor.moment('Valid until', '04032032');
    await doctor.go('Create prescription', doctor.at(rowOf('prescription')));
    await doctor.go('New prescription item', doctor.at(/\/prescription_item\/new/));
    await doctor.type('Medicine', 'Rest');
    await doctor.type('Dose mg', '2.5');
    await doctor.type('Times a day', '3');
    await doctor.go('Create prescription item', doctor.shows('7.5'));
    await doctor.page.goto(appointment);
    await doctor.go('Finish', doctor.state('Done'));
  });

  test(`an invoice is written, sent and settled; another one is void, ${how}`, async () => {
    const keys = await open('receptionist', '/invoice/new');
    await keys.choose('Patient', 'A name');
    await keys.go('Create invoice', keys.at(rowOf('invoice')));
    const invoice = keys.page.url().replace(/\?.*/, '');
    await keys.go('Send', keys.shows('There is nothing to pay on it.'));
    await keys.go('New invoice line', keys.at(/\/invoice_line\/new/));
    await keys.choose('Treatment', 'Check');
    await keys.type('Price', '45');
    await keys.go('Create invoice line', keys.at(rowOf('invoice_line')));
    await keys.page.goto(invoice);
    await keys.go('Send', keys.state('Sent'));
    await keys.go('Settle', keys.state('Paid'));
    const manager = await open('manager', '/invoice/new');
    await manager.choose('Patient', 'A name');
    await manager.go('Create invoice', manager.at(rowOf('invoice')));
    await manager.go('Cancel', manager.state('Void'), 'button');
  });

  test(`a patient makes an account and confirms the address, ${how}`, async () => {
    const email = script ? 'paul.with@clinic.test' : 'paul.without@clinic.test';
    const keys = await open('guest', '/sign-up');
    await keys.type('Name', 'Paul');
    await keys.type('E-mail', email);
    await keys.type('Password', 'a long password');
    await keys.go('Create account', keys.shows('Check your mail'));
    const { json } = await clinic.stack.dev('GET', `/projects/${clinic.project.id}/mail?to=${encodeURIComponent(email)}`, undefined, { expect: 200 });
    await keys.page.goto(json.mails[0].links[0]);
    await keys.shows('Your address is confirmed.')();
    await keys.go('Sign in', keys.at(/\/sign-in/), 'a');
    await keys.type('E-mail', email);
    await keys.type('Password', 'a long password');
    await keys.go('Sign in', keys.shows('You are signed in.'), 'button');
    await keys.go('Appointment', keys.at(/\/appointment$/), 'a');
  });
}
